. "$CASES/lib.sh"
# Shown on a terminal once half a second has passed, and taken away; never with --quiet.
python3 -c 'import pty; pty.openpty()' 2> /dev/null || exit 77 # no terminals here
make_patients
cat > terminal.py <<'END'
import os, pty, subprocess, sys
master, slave = pty.openpty()
program = subprocess.Popen(["bash", "-c", sys.argv[1]], stderr=slave)
os.close(slave)
text = b""
try:
    while data := os.read(master, 4096):
        text += data
except OSError:
    pass
program.wait()
print("bar:", b"[####" in text, "cleared:", b"\r\033[K" in text, "summary:", b"Records" in text)
END
slow='{ head -3 patients.csv; sleep 0.7; tail -n +4 patients.csv; } |
    shoal anonymize - -k 3 --quasi age --identifier name -o out.csv'
python3 terminal.py "$slow"
python3 terminal.py "$slow --quiet"
python3 terminal.py "shoal anonymize patients.csv -k 3 --quasi age --identifier name -o out.csv"
