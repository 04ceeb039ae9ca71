// SPDX-License-Identifier: BSD-3-Clause
// Shares the static data of a C++ program: objects with constructors, function-local statics.
extern "C" {
#include "heap/heap.h"
}

#include "static_data_check.h"

#include <iostream>
#include <map>
#include <string>
#include <vector>

namespace
{

std::string text = "a text that is too long to lie in the object itself";
std::vector<int> numbers{1, 2, 3};

struct Counter {
    static inline int alive = 0;

    Counter()
    {
        ++alive;
    }

    ~Counter()
    {
        --alive;
    }
};

std::map<std::string, int> &table()
{
    static std::map<std::string, int> entries{{"one", 1}};
    static Counter counter;
    return entries;
}

bool contains(const shm_static_data &data, const void *address)
{
    auto at = static_cast<const char *>(address);
    return at >= data.begin && at < data.begin + data.bytes;
}

void check_values()
{
    CHECK(text == "a text that is too long to lie in the object itself, and longer");
    CHECK(numbers.size() == 1000 && numbers.back() == 7);
    CHECK(table().at("one") == 1 && table().at("two") == 2 && Counter::alive == 1);
}

void change_values()
{
    text += ", and longer";
    numbers.resize(1000, 7);
    table()["two"] = 2;
}

} // namespace

int main()
{
    shm_static_data data;
    shm_heap_layout layout;
    shm_heap heap;

    shm_static_data_find(&data);
    CHECK(contains(data, &text) && contains(data, &numbers) && contains(data, &Counter::alive));
    CHECK(contains(data, &table()));
    shm_heap_init(&heap);
    CHECK(shm_heap_layout_make(64, data.bytes, 4096, 1, &layout) == SHM_OK);
    CHECK(shm_heap_reserve(&heap, &layout, 0, 1, 0) == SHM_OK);
    CHECK(shm_heap_create(&heap, 1, SHM_HUGE_PAGES_OFF) == SHM_OK);
    CHECK(shm_heap_map(&heap, 0, 0, 1) == SHM_OK);
    CHECK(shm_static_data_share(&data, &heap) == SHM_OK);
    change_values();
    check_values();
    std::cout << text << std::endl;
    CHECK(shm_static_data_restore(&data) == SHM_OK);
    check_values();
    shm_heap_destroy(&heap);
    std::cout << numbers.size() << std::endl;
    check_values();
    return 0;
}
