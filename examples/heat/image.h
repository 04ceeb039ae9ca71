/* SPDX-License-Identifier: BSD-3-Clause */
/** Writes a picture: image_png.c with libpng, image_ppm.c without; the build takes one. */
#ifndef HEAT_IMAGE_H
#define HEAT_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

/** Name of the file when none is given. */
extern const char image_default_path[];

/** `rgb` holds width x height x 3 bytes. Returns false with one line in `reason` on failure. */
bool image_write(const char *path, size_t width, size_t height, const unsigned char *rgb,
                 char *reason, size_t reason_bytes);

#endif
