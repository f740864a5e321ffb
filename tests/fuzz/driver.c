/* driver.c -- a main for fuzz targets where libFuzzer is not: runs the target on every file of
 * the folders and on every file given, whole and cut short in up to CUTS places. Parsers break
 * at sudden ends more than anywhere else, and the cuts cost nothing to store. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CUTS 64
#define PATH_SIZE 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void stop(const char *problem, const char *path)
{
    fprintf(stderr, "%s: %s\n", path, problem);
    exit(1);
}

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = NULL;
    size_t capacity = 0;

    if (!file) {
        stop("cannot be opened", path);
    }
    *size = 0;
    do {
        capacity += 1 << 16;
        bytes = realloc(bytes, capacity);
        if (!bytes) {
            stop("does not fit in memory", path);
        }
        *size += fread(bytes + *size, 1, capacity - *size, file);
    } while (*size == capacity);
    fclose(file);
    return bytes;
}

/* In a block of its exact size, so that the sanitizer sees a read beyond the end. */
static void run_bytes(const uint8_t *bytes, size_t size)
{
    uint8_t *exact = malloc(size ? size : 1);

    if (!exact) {
        stop("out of memory", "driver");
    }
    memcpy(exact, bytes, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

static void run_file(const char *path)
{
    size_t size;
    uint8_t *bytes = read_file(path, &size);
    size_t step = size / CUTS + 1;

    run_bytes(bytes, size);
    for (size_t cut = 0; cut < size; cut += step) {
        run_bytes(bytes, cut);
    }
    free(bytes);
}

static int run_folder(const char *path)
{
    DIR *folder = opendir(path);
    struct dirent *entry;
    int count = 0;

    if (!folder) {
        run_file(path);
        return 1;
    }
    while ((entry = readdir(folder))) {
        char name[PATH_SIZE];

        if (entry->d_name[0] == '.') {
            continue;
        }
        if (snprintf(name, sizeof name, "%s/%s", path, entry->d_name) >= (int)sizeof name) {
            stop("path too long", path);
        }
        run_file(name);
        count++;
    }
    closedir(folder);
    return count;
}

int main(int argc, char **argv)
{
    int count = 0;

    for (int i = 1; i < argc; i++) {
        count += run_folder(argv[i]);
    }
    if (count == 0) {
        stop("no corpus", argc > 1 ? argv[1] : "arguments");
    }
    printf("%d inputs\n", count);
    return 0;
}
