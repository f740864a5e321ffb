# gzip and zstd, in and out; what is cut off or broken is said with the place, and leaves no file.
cp "$SOURCE/examples/patients.csv" .
run() { shoal anonymize "$1" -o "$2" -k 5 --method topdown --quasi age,sex --identifier name -q; }
run patients.csv plain.csv
python3 - << 'END'
import gzip
text = open("patients.csv", "rb").read()
half = text.index(b"\n", len(text) // 2) + 1
with open("two.csv.gz", "wb") as file:
    file.write(gzip.compress(text[:half]) + gzip.compress(text[half:]))
packed = gzip.compress(text)
open("cut.csv.gz", "wb").write(packed[:200])
open("broken.csv.gz", "wb").write(packed[:200] + b"?" + packed[201:])
open("more.csv.gz", "wb").write(packed + b"more")
END
run two.csv.gz release.csv.gz
python3 -c 'import gzip, sys; sys.stdout.buffer.write(gzip.open("release.csv.gz").read())' | cmp - plain.csv
run patients.csv release.csv.zst
shoal verify release.csv.zst -k 5 --quasi age,sex -q && shoal verify release.csv.gz -k 5 --quasi age,sex -q && echo verified
shoal anonymize patients.csv -o b.csv.gz --method anatomy --l 2 --quasi age,sex --sensitive diagnosis --identifier name,zip,job -q
ls
for file in cut broken more; do run $file.csv.gz nothing.csv.gz; done
ls nothing.csv.gz
