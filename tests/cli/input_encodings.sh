# Latin-1, Windows-1252 and UTF-16 give the release of the same text in UTF-8; nothing is guessed.
printf 'ort,alter\nK\303\266ln,24\nK\303\266ln,24\nB\303\274hl,25\nB\303\274hl,25\n' > utf8.csv
iconv -f UTF-8 -t LATIN1 utf8.csv > latin1.csv
iconv -f UTF-8 -t UTF-16LE utf8.csv > le.csv
{ printf '\377\376'; cat le.csv; } > marked.csv
run() { shoal anonymize "$@" -o release.csv -k 2 --quasi ort,alter -q && cat release.csv; }
run utf8.csv
run latin1.csv
run latin1.csv --encoding latin1 | cmp - release.csv && head -n 2 release.csv
run latin1.csv --encoding windows-1252 | tail -n 1
run marked.csv | tail -n 1
run marked.csv --encoding latin1
run le.csv
run le.csv --encoding utf-16
run le.csv --encoding utf-16le | tail -n 1
printf 'a\n\x80\n' > euro.csv
run euro.csv --encoding latin1
printf 'a\n1\nx\x81\n' > nothing.csv
run nothing.csv --encoding windows-1252
run utf8.csv --encoding latin1
run utf8.csv --encoding windows-1252
