/* setting_samples.h -- values of every setting, for tests that go through all of them. */
#ifndef SHOAL_TESTS_SETTING_SAMPLES_H
#define SHOAL_TESTS_SETTING_SAMPLES_H

#include <shoal/spec.h>

#include <string.h>

/* Values that settings of each type take, and some that they do not. */
typedef struct sample {
    const char *key; /* the setting, or the name of the type */
    const char *good[12];
    const char *bad[12];
} sample;

static const sample samples[] = {
    {"privacy.k",
     {"1", "2", "10", "9007199254740992"},
     {"0", "-1", "9007199254740993", "1.5", "x", "", "1e3", " 1"}},
    {"seed", {"0", "1", "9223372036854775807"}, {"-1", "9223372036854775808", "x", "", "0.5"}},
    {"threads", {"0", "1", "256"}, {"-1", "257", "x", ""}},
    {"suppress", {"0.5", "0.999999", "1e-300"}, {"-1e-300", "1", "1.5", "nan", "inf", "", "x"}},
    {"measure.min_support", {"1", "0.5", "1e-9"}, {"0", "1.0000001", "-1", "nan", ""}},
    {"attack.names", {"linkage", "linkage,homogeneity"}, {"", "linkage,", "Linkage", "foo"}},
    {"attack.known", {"1", "0.5", "1e-9"}, {"0", "1.1", "-1", "nan", ""}},
    {"attack.errors", {"0", "0.25", "0.999"}, {"1", "-0.1", "nan", ""}},
    {"risk.sampling_fraction", {"1", "0.01", "1e-9"}, {"0", "1.0000001", "-1", "inf", ""}},
    {"risk.thresholds",
     {"1", "0.5,0.25", "1e-9", "0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8"},
     {"0", "", "0.5,", ",0.5", "0.5,2", "0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1", "x"}},
    {"time", {"0.001s", "1000h", "30s", "1m", "90"}, {"0", "0.0009s", "1001h", "1d", "s", ""}},
    {"memory", {"1", "512M", "2G", "1k", "8388607T"}, {"0", "-1", "8388608T", "much", "M", ""}},
    {"input.skip_lines", {"1", "12", "1000000"}, {"-1", "1000001", "x", "", "0.5"}},
    {"format of dates",
     {"DD.MM.YYYY", "YYYYMMDD", "M/D/YYYY", "YYYY-MM-DDThh:mm:ssZ", "D. M. YYYY h:mm"},
     {"", "DD.MM.YY", "MM.YYYY", "DD.MM.YYYY DD", "date", "DDD.MM.YYYY", "YYYY"}},
    {"delimiter", {";", "|", "tab", "\\t", "\t"}, {"", ":", ",,", "space"}},
    {"grid",
     {"5", "0.1", "12.5", "2 weeks", "1 month", "10 years", "30 days", "none",
      "999999999999999"},
     {"0", "0.0", "-5", "nan", "inf", "1e3", "", "5 ", " 5", "month", "0.5 days",
      "1234567890123456"}},
    {"text", {"my_k", "a b", "\xC3\xA4"}, {""}},
    {"path", {"x.csv", "/a/b.csv", "../c d.csv"}, {""}},
    {"paths", {"old.csv", "/a/b.csv", "../c d.csv"}, {""}},
    {"list of texts", {"NA", "", "?,,-", "a b"}, {NULL}},
    {"two words",
     {"privacy_loss,gcp", "query_error,highest_risk"},
     {"gcp", "gcp,gcp", "gcp,x", "gcp,privacy_loss,query_error", ""}},
    {"method",
     {"mondrian:mode=relaxed", "topdown", "bucketize:from=mondrian,mode=relaxed", "exact"},
     {"", "nothing", "mondrian:mode", "mondrian:mode=soft", "topdown:nothing=1"}},
    {"privacy.alpha",
     {"0.5", "0.5:HIV,TB", "ill=0.5:\"TB, open\",\"\"", "limits:\"HIV\"=0.2,\"a=b\"=0.3",
      "\"a=b\"=1", "\"say \"\"a\"\"\"=limits:\"x\"=0.25"},
     {"0", "1.5", "x", "", "limits:\"HIV\"", "limits:\"HIV\"=2", "0.5:\"x"}},
    {"privacy.l",
     {"3", "distinct:3", "entropy:2.5", "recursive:0.5:2", "ill=recursive:3:2"},
     {"0.5", "distinct:1.5", "recursive:2", "recursive:0:2", "most:2", ""}},
    {"privacy.t",
     {"0", "1", "equal:0.2", "ordered:0.1", "x y=hierarchical:0.3"},
     {"-0.1", "1.1", "far:0.2", ""}},
    {"privacy.delta", {"0", "1.5", "a=2"}, {"-1", "x", ""}},
    {"privacy.beta", {"1", "enhanced:1e1"}, {"-1", "most:1", ""}},
    {"privacy.k_map", {"1", "5"}, {"0", "1.5", ""}},
    {"privacy.presence", {"0.1", "0.01:0.1"}, {"0", "1.1", "-1:0.5", "2:0.5", ""}},
    {"frontier.sweep",
     {"k=5", "t=equal:0.25", "alpha=ill=0.5:HIV"},
     {"k", "k=0", "size=5", "t=0.2,x"}},
    {"frontier.max.", {"0", "0.5", "1e300"}, {"-0.1", "nan", "x", ""}},
};

static inline const sample *find_sample(const shoal_setting_facts *facts)
{
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        const char *key = samples[i].key;
        bool is_prefix = key[strlen(key) - 1] == '.';

        if (strcmp(key, facts->key) == 0 || strcmp(key, facts->type) == 0 ||
            (is_prefix && strncmp(key, facts->key, strlen(key)) == 0)) {
            return &samples[i];
        }
    }
    return NULL;
}

/* Good value i of a setting; NULL behind the last. */
static inline const char *find_good(const shoal_setting_facts *facts, size_t i)
{
    const sample *known = find_sample(facts);

    if (known) {
        return i < 12 ? known->good[i] : NULL;
    }
    if (strcmp(facts->key, "frontier.time") == 0) {
        return i < 2 ? (const char *const[]){"0.5s", "2m"}[i] : NULL;
    }
    return facts->words ? facts->words[i] : NULL;
}

#endif /* SHOAL_TESTS_SETTING_SAMPLES_H */
