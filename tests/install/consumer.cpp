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

    if (shoal_csv_read_memory(ctx, &result, text.data(), text.size(), "memory", nullptr) !=
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
    std::cout << shoal_version() << ": " << shoal_table_row_count(people.get()) << " records\n";
    return 0;
}
