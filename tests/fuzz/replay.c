/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a fuzz target over the files of a folder, without a fuzzer. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INPUT_BYTES_MOST (1u << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/* The input gets a block of just its size, so that a memory checker sees a read past it. */
static int replay(const char *folder, const char *name, uint8_t *block)
{
    char path[4096];
    FILE *file;
    size_t bytes;
    uint8_t *input;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        return 1;
    }
    bytes = fread(block, 1, INPUT_BYTES_MOST, file);
    fclose(file);
    input = malloc(bytes == 0 ? 1 : bytes);
    if (input == NULL)
        return 1;
    memcpy(input, block, bytes);
    printf("%s: %zu bytes\n", name, bytes);
    fflush(stdout);
    LLVMFuzzerTestOneInput(input, bytes);
    free(input);
    return 0;
}

int main(int argc, char **argv)
{
    uint8_t *block = malloc(INPUT_BYTES_MOST);
    DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
    struct dirent *entry;
    int failures = 0;
    int inputs = 0;

    if (folder == NULL || block == NULL) {
        fprintf(stderr, "usage: %s folder\n", argv[0]);
        return 2;
    }
    while ((entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        failures += replay(argv[1], entry->d_name, block);
        inputs++;
    }
    closedir(folder);
    free(block);
    return failures != 0 || inputs == 0;
}
