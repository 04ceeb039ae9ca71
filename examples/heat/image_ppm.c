/* SPDX-License-Identifier: BSD-3-Clause */
#include "image.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

const char image_default_path[] = "heat.ppm";

bool image_write(const char *path, size_t width, size_t height, const unsigned char *rgb,
                 char *reason, size_t reason_bytes)
{
    FILE *file = fopen(path, "wbe");
    bool written;

    if (file == NULL) {
        snprintf(reason, reason_bytes, "%s: %s", path, strerror(errno));
        return false;
    }
    written = fprintf(file, "P6\n%zu %zu\n255\n", width, height) > 0 &&
              fwrite(rgb, width * 3, height, file) == height;
    if (fclose(file) != 0 || !written) {
        snprintf(reason, reason_bytes, "%s: %s", path, strerror(errno));
        return false;
    }
    return true;
}
