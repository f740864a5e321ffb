# Files that are no delimited text are named, with what to do.
try() { printf "$2" > "$1"; shoal inspect "$1"; }
try a.xlsx 'PK\003\004\024\000\006\000\010\000[Content_Types].xml'
try a.xls '\320\317\021\340\241\261\032\341\000'
try a.parquet 'PAR1\025\004\025'
try a.sav '$FL2@(#) SPSS DATA FILE\002\000\000\000'
try a.dta '<stata_dta><header>\000'
try a.db 'SQLite format 3\000'
try a.pdf '%%PDF-1.7\n'
