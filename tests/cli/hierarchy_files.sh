. "$CASES/lib.sh"
# Files whose names are words of the spec, JSON, places that cannot be written.
make_patients
printf 'F;person\nM;person\n' > flat
shoal hierarchy show patients.csv --column sex flat
shoal hierarchy build patients.csv --column zip --prefix 5 -o zip.csv --json
shoal hierarchy show patients.csv --column zip zip.csv --json
shoal hierarchy build patients.csv --column zip --prefix 5 --json
shoal hierarchy build patients.csv --column zip --prefix 5 -o no/zip.csv
shoal hierarchy build patients.csv --column zip --prefix 5 extra.csv
shoal hierarchy show patients.csv --column zip --flat zip.csv
shoal hierarchy show patients.csv --column zip --flat --lines few
ends
