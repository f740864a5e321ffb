# Tables that many cases use, and how most of them end.

# Twelve records; by age, zip and sex there are none alike.
make_patients() {
    cat > patients.csv <<'END'
name,age,zip,sex,job,diagnosis
Ann,24,53711,F,nurse,flu
Bob,25,53712,M,cook,asthma
Cid,27,53711,M,nurse,flu
Dee,30,53713,F,teacher,measles
Eve,31,53712,F,cook,flu
Fay,34,53711,F,baker,asthma
Gus,38,53715,M,teacher,flu
Hal,41,53716,M,baker,gout
Ida,45,53715,F,nurse,gout
Joe,47,53717,M,cook,flu
Kim,52,53716,F,teacher,asthma
Leo,55,53717,M,baker,gout
END
}

make_jobs() {
    cat > job.csv <<'END'
nurse;health;work;*
cook;kitchen;work;*
baker;kitchen;work;*
teacher;school;work;*
END
}

# Whether a program that was just started is shoal by now, and SIGINT would not simply end it.
listens() {
    local mask
    mask=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$1/status")
    [ "$(cat "/proc/$1/comm")" = shoal ] && (( 0x${mask:-0} & 2 ))
}

# Show which files there are, and end with the code of the command before.
ends() {
    local code=$?
    ls -A
    exit $code
}
