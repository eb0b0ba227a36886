#include "cover.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

namespace exactile {

static void check_bounds(const Cover& cover) {
    if (cover.upper.size() != cover.lower.size())
        throw std::invalid_argument("lower and upper bounds differ in length");
    for (Index i = 0; i < cover.items(); ++i)
        if (cover.lower[i] < 0 || cover.lower[i] > cover.upper[i])
            throw std::invalid_argument("item " + std::to_string(i) + " has impossible bounds [" +
                                        std::to_string(cover.lower[i]) + ", " +
                                        std::to_string(cover.upper[i]) + "]");
}

static void check_options(const Cover& cover) {
    if (cover.first.empty() || cover.first.front() != 0 ||
        cover.first.back() != static_cast<std::int64_t>(cover.members.size()))
        throw std::invalid_argument("option boundaries do not span the members");
    // Before any member is read: a boundary that is too large decreases again later.
    if (!std::is_sorted(cover.first.begin(), cover.first.end()))
        throw std::invalid_argument("option boundaries decrease");
    std::vector<Index> last_seen(cover.lower.size(), -1);
    for (Index o = 0; o < cover.options(); ++o) {
        // An option without items would be free to take or leave in every solution.
        if (cover.first[o] == cover.first[o + 1])
            throw std::invalid_argument("option " + std::to_string(o) + " is empty");
        for (std::int64_t k = cover.first[o]; k < cover.first[o + 1]; ++k) {
            const Index i = cover.members[k];
            if (i < 0 || i >= cover.items())
                throw std::invalid_argument("option " + std::to_string(o) + " names item " +
                                            std::to_string(i) + ", which does not exist");
            if (last_seen[i] == o)
                throw std::invalid_argument("option " + std::to_string(o) + " contains item " +
                                            std::to_string(i) + " twice");
            last_seen[i] = o;
        }
    }
}

static void check_colors(const Cover& cover) {
    if (cover.colors.size() != cover.members.size())
        throw std::invalid_argument("colors and members differ in length");
    for (std::size_t k = 0; k < cover.colors.size(); ++k) {
        const Index i = cover.members[k];
        if (cover.colors[k] < 0) throw std::invalid_argument("a color is negative");
        if (cover.colors[k] > 0 && (cover.lower[i] != 0 || cover.upper[i] != 1))
            throw std::invalid_argument("item " + std::to_string(i) +
                                        " is colored, but its bounds are not [0, 1]");
    }
}

Options extended(const Options& own, const std::vector<Index>& options,
                 const std::vector<Index>& items) {
    if (own.first.empty() || own.first.front() != 0 ||
        own.first.back() != static_cast<std::int64_t>(own.members.size()) ||
        !std::is_sorted(own.first.begin(), own.first.end()) || options.size() != items.size())
        throw std::invalid_argument("the arrays do not fit together");
    const std::size_t number = own.first.size() - 1;
    Options result{std::vector<std::int64_t>(number + 1), {}};
    for (const Index o : options) {
        if (o < 0 || static_cast<std::size_t>(o) >= number)
            throw std::invalid_argument("there is no option " + std::to_string(o));
        ++result.first[o + 1];
    }
    for (std::size_t o = 0; o < number; ++o)
        result.first[o + 1] += result.first[o] + own.first[o + 1] - own.first[o];
    result.members.resize(own.members.size() + items.size());
    std::vector<std::int64_t> next(number);
    for (std::size_t o = 0; o < number; ++o)
        next[o] =
            std::copy(own.members.begin() + own.first[o], own.members.begin() + own.first[o + 1],
                      result.members.begin() + result.first[o]) -
            result.members.begin();
    for (std::size_t k = 0; k < options.size(); ++k) result.members[next[options[k]]++] = items[k];
    return result;
}

Problem::Problem(Cover given) : cover(std::move(given)) {
    check_bounds(cover);
    check_options(cover);
    check_colors(cover);
    for (Index i = 0; i < cover.items(); ++i) {
        item_of.push_back(i);
        if (cover.lower[i] > 0) primaries.push_back(i);
    }
    slots = cover.members;
    std::map<std::pair<Index, Index>, Index> known;
    for (std::size_t k = 0; k < slots.size(); ++k) {
        if (cover.colors[k] == 0) continue;
        const auto [place, fresh] =
            known.try_emplace({cover.members[k], cover.colors[k]}, slot_count());
        if (fresh) item_of.push_back(cover.members[k]);
        slots[k] = place->second;
    }
    for (Index o = 0; o < cover.options(); ++o) {
        const auto tight = [&](Index slot) { return !colored(slot) && cover.upper[slot] == 1; };
        loose |=
            std::none_of(slots.begin() + cover.first[o], slots.begin() + cover.first[o + 1], tight);
    }
}

}  // namespace exactile
