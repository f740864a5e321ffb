# Missing values that are kept have no ends that a grid could be of, whatever token stands for them.
printf 'age,sex\n31,F\nNA,F\n33,F\nNA,F\n47,M\n49,M\nn/a,M\nNA,M\n' > in.csv
options="-k 2 --quasi age,sex --type age=integer --grid age=5 --missing keep --missing-tokens NA,n/a"
shoal anonymize in.csv -o out.csv $options --method topdown --quiet
cat out.csv
shoal verify out.csv $options | grep -v Seconds
# Another text is no token.
sed 's/^NA/na/' out.csv > other.csv
shoal verify other.csv $options --quiet
echo "exit $?"
