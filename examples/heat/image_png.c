/* SPDX-License-Identifier: BSD-3-Clause */
#include "image.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <string.h>

const char image_default_path[] = "heat.png";

bool image_write(const char *path, size_t width, size_t height, const unsigned char *rgb,
                 char *reason, size_t reason_bytes)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = (png_uint_32)height,
                       .format = PNG_FORMAT_RGB};
    FILE *file = fopen(path, "wbe");

    if (file == NULL) {
        snprintf(reason, reason_bytes, "%s: %s", path, strerror(errno));
        return false;
    }
    if (!png_image_write_to_stdio(&image, file, 0, rgb, 0, NULL)) {
        snprintf(reason, reason_bytes, "%s: %s", path, image.message);
        fclose(file);
        return false;
    }
    if (fclose(file) != 0) {
        snprintf(reason, reason_bytes, "%s: %s", path, strerror(errno));
        return false;
    }
    return true;
}
