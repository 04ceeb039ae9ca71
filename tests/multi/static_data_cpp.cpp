/* SPDX-License-Identifier: BSD-3-Clause */
/* The same test, compiled as C++17. */
#include "static_data.c"
