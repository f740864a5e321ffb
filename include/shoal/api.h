/* api.h -- which version this is, and what is exported.
 *
 * The library comes as libshoal.so and as libshoal.a, made of the same code. Programs that were
 * built against one version run with every later one of the same soname (libshoal.so.0).
 */
#ifndef SHOAL_API_H
#define SHOAL_API_H

#ifdef __cplusplus
extern "C" {
#endif

/* Of the headers; shoal_version() tells that of the library that runs. The build takes its own
 * version from these lines. */
#define SHOAL_VERSION_MAJOR 0
#define SHOAL_VERSION_MINOR 1
#define SHOAL_VERSION_PATCH 0

/* What users may call: everything declared with SHOAL_API in these headers and nothing else is
 * visible outside of the shared library. */
#if defined(__GNUC__)
#define SHOAL_API __attribute__((visibility("default")))
#else
#define SHOAL_API
#endif

/* The version as "major.minor.patch". */
SHOAL_API const char *shoal_version(void);

#ifdef __cplusplus
}
#endif

#endif /* SHOAL_API_H */
