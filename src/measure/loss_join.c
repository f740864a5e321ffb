/* The figures of a release from those of its parts. */
#include "measure.h"

#include <assert.h>

static shoal_status join_bins(shoal_ctx *ctx, shoal_i_loss *all, const shoal_i_loss *part)
{
    shoal_status st = SHOAL_OK;
    shoal_i_size_bin *bins = NULL;
    size_t count = 0;
    size_t a = 0;
    size_t p = 0;

    SHOAL_ALLOC(ctx, bins, all->bin_count + part->bin_count);
    while (a < all->bin_count || p < part->bin_count) {
        uint64_t of_all = a < all->bin_count ? all->bins[a].size : UINT64_MAX;
        uint64_t of_part = p < part->bin_count ? part->bins[p].size : UINT64_MAX;

        bins[count].size = of_all < of_part ? of_all : of_part;
        if (of_all == bins[count].size) {
            bins[count].classes += all->bins[a++].classes;
        }
        if (of_part == bins[count].size) {
            bins[count].classes += part->bins[p++].classes;
        }
        count++;
    }
    free(all->bins);
    all->bins = bins;
    all->bin_count = count;
done:
    return st;
}

/* The mean of two means. */
static double join_means(double all, double all_count, double part, double part_count)
{
    return all_count + part_count > 0
               ? (all * all_count + part * part_count) / (all_count + part_count)
               : 0;
}

static void join_columns(shoal_i_loss *all, const shoal_i_loss *part)
{
    double before = (double)all->records;
    double more = (double)part->records;

    for (size_t c = 0; c < all->column_count; c++) {
        all->columns[c].loss =
            join_means(all->columns[c].loss, before, part->columns[c].loss, more);
        all->columns[c].suppressed += part->columns[c].suppressed;
    }
    all->gcp = join_means(all->gcp, before, part->gcp, more);
    all->distortion_ratio =
        join_means(all->distortion_ratio, before, part->distortion_ratio, more);
    all->ncp += part->ncp;
}

/* C_DM without suppressed records, which count the whole table each. */
static double find_unsuppressed(const shoal_i_loss *loss)
{
    return loss->discernibility - (double)loss->suppressed * (double)loss->records;
}

/* The columns of a part, with the names of the whole, which stay. */
static shoal_status begin(shoal_ctx *ctx, shoal_i_loss *all, const shoal_i_quasi *quasi)
{
    shoal_status st = SHOAL_OK;

    SHOAL_ALLOC(ctx, all->columns, quasi->count);
    all->column_count = quasi->count;
    for (size_t c = 0; c < quasi->count; c++) {
        all->columns[c].name = quasi->columns[c].name;
        all->columns[c].weight = quasi->columns[c].weight;
    }
done:
    return st;
}

shoal_status shoal_i_loss_join(shoal_ctx *ctx, shoal_i_loss *all, const shoal_i_loss *part,
                               const shoal_i_quasi *quasi, uint64_t k)
{
    shoal_status st = SHOAL_OK;
    double discernibility = find_unsuppressed(all) + find_unsuppressed(part);

    if (!all->columns) {
        SHOAL_TRY(begin(ctx, all, quasi));
    }
    SHOAL_TRY(join_bins(ctx, all, part));
    join_columns(all, part);
    all->records += part->records;
    all->suppressed += part->suppressed;
    all->classes += part->classes;
    all->smallest_class = all->bin_count > 0 ? all->bins[0].size : 0;
    all->largest_class = all->bin_count > 0 ? all->bins[all->bin_count - 1].size : 0;
    all->discernibility = discernibility + (double)all->suppressed * (double)all->records;
    if (all->classes > 0) {
        all->average_class_size =
            (double)all->records / (double)all->classes / (double)(k > 0 ? k : 1);
    }
done:
    return st;
}

shoal_status shoal_i_loss_join_class(shoal_ctx *ctx, shoal_i_loss *whole,
                                     const shoal_i_loss *part, const shoal_i_quasi *quasi)
{
    assert(part->classes == 1 && part->bin_count == 1);
    if (whole->classes == 0) {
        return shoal_i_loss_join(ctx, whole, part, quasi, 1);
    }
    join_columns(whole, part);
    whole->records += part->records;
    whole->suppressed += part->suppressed;
    whole->smallest_class = whole->records;
    whole->largest_class = whole->records;
    whole->bins[0].size = whole->records;
    /* Suppressed or not: each record counts all of this class. */
    whole->discernibility = (double)whole->records * (double)whole->records;
    whole->average_class_size = (double)whole->records;
    return SHOAL_OK;
}
