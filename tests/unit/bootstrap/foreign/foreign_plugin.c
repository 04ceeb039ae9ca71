/* SPDX-License-Identifier: BSD-3-Clause */
int foreign_function(void);

int foreign_function(void)
{
    return 0;
}
