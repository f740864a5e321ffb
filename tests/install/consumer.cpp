// The same in C++, with all of the public headers.
#include <shoal/shoal.h>

#include <iostream>
#include <memory>
#include <string>

namespace {

using context = std::unique_ptr<shoal_ctx, decltype(&shoal_ctx_free)>;
using table = std::unique_ptr<shoal_table, decltype(&shoal_table_free)>;

table read(shoal_ctx *ctx, const std::string &text)
{
    shoal_table *result = nullptr;
    shoal_csv_options options = SHOAL_CSV_OPTIONS_INIT;

    options.delimiter = ',';
    if (shoal_csv_read_memory(ctx, &result, text.data(), text.size(), "memory", &options) !=
        SHOAL_OK) {
        std::cerr << shoal_ctx_error(ctx)->message << '\n';
    }
    return table(result, shoal_table_free);
}

} // namespace

int main()
{
    context ctx(shoal_ctx_new(), shoal_ctx_free);
    table people = read(ctx.get(), "age,sex\n24,F\n30,M\n30,F\n");

    if (!people) {
        return 1;
    }
    shoal_method_facts method = SHOAL_METHOD_FACTS_INIT;
    shoal_option_facts option = SHOAL_OPTION_FACTS_INIT;
    shoal_generate_options generate = SHOAL_GENERATE_OPTIONS_INIT;
    shoal_workload workload = SHOAL_WORKLOAD_INIT;

    if (!shoal_method_describe(&method, 0) || option.name || generate.records != 0 ||
        workload.struct_size != sizeof workload) {
        return 1;
    }
    const std::string built = std::to_string(SHOAL_VERSION_MAJOR) + "." +
                              std::to_string(SHOAL_VERSION_MINOR) + "." +
                              std::to_string(SHOAL_VERSION_PATCH);

    if (built != shoal_version()) {
        return 1;
    }
    std::cout << shoal_version() << ": " << shoal_table_row_count(people.get()) << " records\n";
    return 0;
}
