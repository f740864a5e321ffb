# Completion of shoal(1) for bash: commands, options, the words that options take, and files.

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

    local commands="anonymize verify measure refine query risk inspect hierarchy generate methods frontier help"
    local general="--threads --json --quiet --show-values --help"
    local input="--delimiter --missing --missing-tokens"
    local columns="--quasi --sensitive --identifier --insensitive --hierarchy --weight --type"
    local report="--report --report-external --report-frontier"
    local risk="--population --sampling-fraction --risk-threshold"
    local size="-k --k --k-column"
    local privacy="$size --alpha --l --t --delta --beta"
    local command=${words[1]}

    if ((cword == 1)); then
        COMPREPLY=($(compgen -W "$commands --version --help" -- "$cur"))
        return
    fi

    case $prev in
        --missing) COMPREPLY=($(compgen -W "error drop keep" -- "$cur")); return ;;
        --numeric) COMPREPLY=($(compgen -W "range minmax mean median" -- "$cur")); return ;;
        --l)
            COMPREPLY=($(compgen -W "frequency: distinct: entropy: recursive:" -- "$cur"))
            return ;;
        --t)
            COMPREPLY=($(compgen -W "js: equal: ordered: hierarchical:" -- "$cur"))
            return ;;
        --shape) COMPREPLY=($(compgen -W "classes records" -- "$cur")); return ;;
        --measure) COMPREPLY=($(compgen -W "privacy_loss utility_loss bound" -- "$cur")); return ;;
        --workload) COMPREPLY=($(compgen -W "xu-count xu-sum lili" -- "$cur")); return ;;
        --estimator) COMPREPLY=($(compgen -W "uniform marginal" -- "$cur")); return ;;
        --beta) COMPREPLY=($(compgen -W "basic: enhanced:" -- "$cur")); return ;;
        --categorical) COMPREPLY=($(compgen -W "label set" -- "$cur")); return ;;
        --effort) COMPREPLY=($(compgen -W "fast normal high" -- "$cur")); return ;;
        --delimiter | --output-delimiter)
            COMPREPLY=($(compgen -W "tab" -- "$cur")); return ;;
        --method | --try)
            COMPREPLY=($(compgen -W "$(shoal methods 2> /dev/null | grep -o '^[a-z]*')" -- "$cur"))
            return ;;
        --spec | --sensitive-table | --report | --report-external | --report-frontier | --plot | --population | --original | -o | --output) COMPREPLY=($(compgen -f -- "$cur")); return ;;
        -k | --k | --k-column | --alpha | --delta | --k-map | --presence | --quasi | --sensitive | --identifier | --insensitive | \
            --hierarchy | --weight | --type | --missing-tokens | --time | --suppress | --memory | --min-support | --populations | --queries | --columns | --sum | --qd | --sel | --seed | --threads | --column | \
            --prefix | --widths | --origin | --breaks | --lines | --records | --dimensions | \
            --sigma) return ;;
    esac

    local options=
    case $command in
        anonymize)
            options="-o --output --numeric --categorical --keep-order --output-delimiter --sensitive-table $report --sampling-fraction --risk-threshold
                --method --effort --time --suppress --memory --seed --measure --min-support --populations $privacy --population --k-map --presence
                $columns $input --spec $general" ;;
        verify)
            options="$privacy --population --k-map --presence --quasi --sensitive --type --hierarchy --original --sensitive-table $report --delimiter
                --missing --missing-tokens --spec $general" ;;
        measure) options="$columns $size --shape --sensitive-table --measure --min-support --populations $report $risk $input --spec $general" ;;
        query)
            options="--original --sensitive-table --estimator --workload --queries --columns --sum --qd --sel --seed --report
                $columns $input --spec $general" ;;
        risk) options="$columns $size --sensitive-table $risk $report $input --spec $general" ;;
        refine)
            options="-o --output --numeric --categorical --keep-order --output-delimiter
                $report --effort --time --seed --measure --min-support $privacy $columns $input --spec $general" ;;
        inspect)
            options="-o --output --report $columns --delimiter --missing-tokens --spec $general" ;;
        hierarchy)
            options="--column --flat --prefix --widths --origin --breaks --dates -o --output
                --lines --delimiter --missing-tokens $general"
            if ((cword == 2)); then
                COMPREPLY=($(compgen -W "build check show" -- "$cur"))
                return
            fi ;;
        generate)
            options="--records --seed --dimensions --sigma -o --output $general"
            if ((cword == 2)); then
                COMPREPLY=($(compgen -W "uniform gaussian census" -- "$cur"))
                return
            fi ;;
        frontier)
            options="-o --output --plot --report --resume --sweep --try --axes --min-support --suppress --seed --time
                --max-privacy-loss --max-risk --max-utility-loss --max-gcp --max-query-error
                $privacy --population --k-map --presence $columns $input --spec $general" ;;
        methods)
            options=$general
            if [[ $cur != -* ]]; then
                COMPREPLY=($(compgen -W "$(shoal methods 2> /dev/null | grep -o '^[a-z]*')" -- "$cur"))
                return
            fi ;;
        help)
            COMPREPLY=($(compgen -W "$commands" -- "$cur"))
            return ;;
    esac
    if [[ $cur == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$cur"))
    else
        COMPREPLY=($(compgen -f -- "$cur"))
    fi
}

complete -o filenames -F _shoal shoal
