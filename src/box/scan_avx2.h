/* scan_avx2.h -- the kernels of scan.h for processors with AVX2. */
#ifndef SHOAL_I_SCAN_AVX2_H
#define SHOAL_I_SCAN_AVX2_H

#include "scan.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define SHOAL_I_HAS_AVX2 1
extern const shoal_i_kernels shoal_i_kernels_avx2;
#else
#define SHOAL_I_HAS_AVX2 0
#endif

#endif /* SHOAL_I_SCAN_AVX2_H */
