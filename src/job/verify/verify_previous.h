/* verify_previous.h -- whether what is about to be handed out goes together with earlier
 * releases. */
#ifndef SHOAL_I_VERIFY_PREVIOUS_H
#define SHOAL_I_VERIFY_PREVIOUS_H

#include "../input/previous.h"

/* Hold the requirements of the original against every cell (previous.h), by the classes of what
 * was received; record_of: the record that each row stands for. *in_both: how many records may
 * be in an earlier release. SHOAL_EREJECTED: not all cells hold. */
shoal_status shoal_i_verify_previous(shoal_ctx *ctx, uint64_t *in_both,
                                     const shoal_i_received *received,
                                     const shoal_i_previous *previous,
                                     const uint32_t *record_of);

#endif /* SHOAL_I_VERIFY_PREVIOUS_H */
