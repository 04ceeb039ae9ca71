/* SPDX-License-Identifier: BSD-3-Clause */
#include "one_pe.h"

const char *one_pe_call = "";
const char *one_pe_face = "";
long one_pe_number;
