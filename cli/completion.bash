# Completion of shoal(1) for bash: commands, options, the words that options take, and files. What there is
# the program itself tells, in the help of its commands and of its settings.

# The options of a command, one per line, with what stands for their value.
_shoal_options() {
    shoal "$1" --help-all 2> /dev/null |
        sed -nE 's/^ {2,6}(-[a-z], )?(--[a-z-]+)( ([^ ]+))?( {2,}.*)?$/\1\2 \4/p'
}

# What stands for the value of an option of a command.
_shoal_value() {
    _shoal_options "$1" | sed -nE "s/^($2, --[a-z-]+|(-[a-z], )?$2) //p"
}

# The words that an option of a command takes, if it takes words.
_shoal_words() {
    local value="$(_shoal_value "$1" "$2")"
    case $2 in
        --l) echo "frequency: distinct: entropy: recursive:" ;;
        --t) echo "js: equal: ordered: hierarchical:" ;;
        --beta) echo "basic: enhanced:" ;;
        --workload) echo "xu-count xu-sum lili" ;;
        --delimiter | --output-delimiter) echo "tab" ;;
        --method | --try) shoal methods 2> /dev/null | grep -o '^[a-z]*' ;;
        *)
            if [[ $value =~ ^[a-z0-9_-]+(\|[a-z0-9_-]+)+$ ]]; then
                echo "${value//|/ }"
            elif [[ -n $value ]]; then
                shoal help settings 2> /dev/null |
                    sed -nE "s/^[a-z._]+: ([a-z0-9_-]+(\|[a-z0-9_-]+)+)( \(.*\))?; $2$/\1/p" | tr '|' ' '
            fi ;;
    esac
}

_shoal() {
    local cur prev words cword
    if declare -F _init_completion > /dev/null; then
        _init_completion -n = || return
    else
        cur=${COMP_WORDS[COMP_CWORD]}
        prev=${COMP_WORDS[COMP_CWORD - 1]}
        words=("${COMP_WORDS[@]}")
        cword=$COMP_CWORD
    fi

    local commands="$(shoal help 2> /dev/null | sed -n '/^Commands:$/,/^$/s/^  \([a-z]*\) .*/\1/p')"
    local command=${words[1]}

    if ((cword == 1)); then
        COMPREPLY=($(compgen -W "$commands --version --help" -- "$cur"))
        return
    fi
    case $command in
        help) COMPREPLY=($(compgen -W "$commands settings" -- "$cur")); return ;;
        hierarchy)
            if ((cword == 2)) && [[ $cur != -* ]]; then
                COMPREPLY=($(compgen -W "build check show convert" -- "$cur"))
                return
            fi ;;
        generate)
            if ((cword == 2)) && [[ $cur != -* ]]; then
                COMPREPLY=($(compgen -W "uniform gaussian census payments" -- "$cur"))
                return
            fi ;;
        methods)
            if [[ $cur != -* ]]; then
                COMPREPLY=($(compgen -W "$(_shoal_words methods --method)" -- "$cur"))
                return
            fi ;;
    esac

    # What the option before takes: one of its words, a file, or something only the user knows.
    if [[ $prev == -* ]]; then
        local value="$(_shoal_value "$command" "$prev")"
        local known="$(_shoal_words "$command" "$prev")"
        if [[ -n $known ]]; then
            COMPREPLY=($(compgen -W "$known" -- "$cur"))
            return
        elif [[ $value == FILE* || $value == .*FILE* ]]; then
            COMPREPLY=($(compgen -f -- "$cur"))
            return
        elif [[ -n $value ]]; then
            return
        fi
    fi
    if [[ $cur == -* ]]; then
        COMPREPLY=($(compgen -W "$(_shoal_options "$command" | grep -oE -- '--?[a-z-]+')" -- "$cur"))
    else
        COMPREPLY=($(compgen -f -- "$cur"))
    fi
}

complete -o filenames -F _shoal shoal
