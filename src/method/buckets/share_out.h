/* share_out.h -- sharing out records like cards, so that every bucket gets its share of every
 * value.
 *
 *     rows, by value      a a a a a a b b b c c c      among 3:      a a b c
 *                                                                    a a b c
 *                                                                    a a b c
 *
 * Each bucket has of each value the whole part of its share, or one more: no other way comes
 * closer to the distribution of the table in all buckets at once. */
#ifndef SHOAL_I_SHARE_OUT_H
#define SHOAL_I_SHARE_OUT_H

#include "../problem/method.h"

/* Share out rows, which lie value by value, into as many buckets as a search by halving finds
 * in which every one meets the requirement; all of them as one does. *bucket_of (free) tells
 * the bucket of each record. O(rows * log rows). */
shoal_status shoal_i_share_out(shoal_ctx *ctx, uint32_t **bucket_of, size_t *bucket_count,
                               const shoal_i_problem *problem, const uint32_t *rows);

#endif /* SHOAL_I_SHARE_OUT_H */
