// Sums over lists: tables that take them up, by rank or by hash, and the loops over the entries.
//
// Numbers are 64-bit where that is known to suffice, else of several limbs. What a table does with
// an entry is either to add it to what it has, or, when two halves are joined, to multiply both.

#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "front_supply.hpp"
#include "limbs.hpp"
#include "wide.hpp"

namespace exactile {

// A number of some limbs, where it lies.
struct Limbs {
    const Limb* at;
    std::size_t size;
};

inline bool is_nothing(std::uint64_t number) { return number == 0; }
inline bool is_nothing(Limbs number) { return is_zero(number.at, number.size); }

// Counts and keys of a list, as they are stored.
template <typename T>
struct Words {
    const T* at;
    std::uint64_t operator[](std::uint64_t i) const { return at[i]; }
};
struct LimbWords {
    const Limb* at;
    std::size_t size;
    Limbs operator[](std::uint64_t i) const { return {at + i * size, size}; }
};

// Key -> place of its number. Places are given in the order in which keys come.
class KeyTable {
public:
    static constexpr std::uint64_t kAbsent = ~std::uint64_t{0};

    void clear(std::uint64_t expected) {
        std::size_t slots = 64;
        while (slots < expected * 2) slots *= 2;
        if (slots > slots_.size()) slots_.resize(slots);
        used_ = slots;
        shift_ = 64 - std::countr_zero(slots);
        std::fill_n(slots_.begin(), used_, Slot{0, 0});
        keys_.clear();
    }
    std::uint64_t find_or_add(Key key) {
        std::size_t at = place(key);
        for (; slots_[at].number != 0; at = (at + 1) & (used_ - 1))
            if (slots_[at].key == key) return slots_[at].number - 1;
        keys_.push_back(key);
        slots_[at] = {key, static_cast<std::uint64_t>(keys_.size())};
        if (keys_.size() * 3 > used_ * 2) grow();
        return keys_.size() - 1;
    }
    std::uint64_t find(Key key) const {
        for (std::size_t at = place(key); slots_[at].number != 0; at = (at + 1) & (used_ - 1))
            if (slots_[at].key == key) return slots_[at].number - 1;
        return kAbsent;
    }
    const std::vector<Key>& keys() const { return keys_; }
    std::uint64_t bytes() const { return 16 * slots_.size() + 8 * keys_.capacity(); }

private:
    struct Slot {
        Key key;
        std::uint64_t number;  // place + 1, or 0
    };
    std::size_t place(Key key) const { return key * 0x9e3779b97f4a7c15 >> shift_; }
    void grow() {
        if (used_ * 2 > slots_.size()) slots_.resize(used_ * 2);
        used_ *= 2;
        --shift_;
        std::fill_n(slots_.begin(), used_, Slot{0, 0});
        for (std::size_t k = 0; k < keys_.size(); ++k) {
            std::size_t at = place(keys_[k]);
            while (slots_[at].number != 0) at = (at + 1) & (used_ - 1);
            slots_[at] = {keys_[k], static_cast<std::uint64_t>(k + 1)};
        }
    }

    std::vector<Slot> slots_;
    std::size_t used_ = 0;
    int shift_ = 0;
    std::vector<Key> keys_;
};

// Where the entries of a list go: its class, and the one of the keys with the label added.
struct Passage {
    const Supply& supply;
    const Class* from;  // none if the list has keys
    const Class* to;    // none if the keys that it leads to are not ranked
    const Label& label;
};

// Call `use(key, count)` for all entries, ranked ones without the zeros.
template <typename Counts, typename Use>
void each_ranked(const Supply& supply, const Class& from, Counts counts, Use use) {
    for (const Class::Run& run : from.runs) {
        const std::vector<std::uint32_t>& lows = supply.low_values(run.low);
        for (std::size_t k = 0; k < lows.size(); ++k)
            if (const auto count = counts[run.offset + k]; !is_nothing(count))
                use(supply.join(run.high, lows[k]), count);
    }
}

// Send all entries of a ranked list to where their keys with the label have their ranks.
template <typename Counts, typename Sink>
void pass_ranked(const Passage& way, Counts counts, Sink& sink) {
    const Label& label = way.label;
    for (const Class::Run& run : way.from->runs) {
        if (!label.fits_high(run.high)) continue;
        const std::uint64_t start = way.to->start[run.high + label.high_add];
        if (!label.moves_low) {
            const std::size_t size = way.supply.low_values(run.low).size();
            sink.run(start, counts, run.offset, size);
        } else {
            for (const Label::Shift shift : label.shifts[run.low])
                sink(start + shift.to, counts[run.offset + shift.from]);
        }
    }
}

// Send all entries of a list with keys on their way; places are ranks, or those of a hash table.
template <typename Keys, typename Counts, typename Sink>
void pass_keyed(const Passage& way, std::uint64_t size, Keys keys, Counts counts, Sink& sink) {
    for (std::uint64_t k = 0; k < size; ++k) {
        const Key key = keys[k];
        if (!way.label.fits(key)) continue;
        if (way.to != nullptr)
            sink(way.supply.rank_of(*way.to, key + way.label.add), counts[k]);
        else
            sink.keyed(key + way.label.add, counts[k]);
    }
}

// Numbers by place, and the places of keys where they are not ranks.
struct Table {
    const Class* ranked = nullptr;  // places are ranks in this class, or those of `keys`
    bool narrow = true;             // whether numbers are 64-bit, in `words`; else in `limbs`
    std::size_t width = 0;          // limbs of a number
    KeyTable keys;
    std::vector<std::uint64_t> words;
    std::vector<Limb> limbs;

    // Begin anew with all numbers zero.
    void clear(const Class* by_rank, std::uint64_t expected, bool as_words,
               std::size_t limb_count) {
        ranked = by_rank;
        narrow = as_words;
        width = limb_count;
        if (ranked == nullptr) keys.clear(expected);
        const std::uint64_t size = ranked == nullptr ? 0 : ranked->size;
        words.clear();
        limbs.clear();
        if (narrow)
            words.resize(size, 0);
        else
            limbs.resize(size * width, 0);
    }
    std::uint64_t size() const { return ranked != nullptr ? ranked->size : keys.keys().size(); }
    std::uint64_t bytes() const {
        return keys.bytes() + 8 * words.capacity() + sizeof(Limb) * limbs.capacity();
    }
    // The place of a key; a new one's number is zero.
    std::uint64_t place(const Supply& supply, Key key) {
        if (ranked != nullptr) return supply.rank_of(*ranked, key);
        const std::uint64_t found = keys.find_or_add(key);
        if (narrow && words.size() == found) words.push_back(0);
        if (!narrow && limbs.size() == found * width) limbs.resize((found + 1) * width, 0);
        return found;
    }
};

inline void add_number(Limb* to, std::size_t width, Limbs number) {
    std::uint64_t carry = 0;
    for (std::size_t k = 0; k < width && (carry != 0 || k < number.size); ++k) {
        carry += static_cast<std::uint64_t>(to[k]) + (k < number.size ? number.at[k] : 0);
        to[k] = static_cast<Limb>(carry);
        carry >>= 32;
    }
}

// Numbers that grow, by place.
class Sums {
public:
    void add(std::size_t place, Limbs number) {
        while (number.size > 0 && number.at[number.size - 1] == 0) --number.size;
        if (number.size == 0) return;
        if (numbers_.size() <= place) numbers_.resize(place + 1);
        std::vector<Limb>& sum = numbers_[place];
        if (sum.size() < number.size + 1) sum.resize(number.size + 1);
        add_number(sum.data(), sum.size(), number);
        if (sum.back() != 0) sum.push_back(0);
    }
    void add(const Sums& other) {
        for (std::size_t place = 0; place < other.size(); ++place) add(place, other[place]);
    }
    std::size_t size() const { return numbers_.size(); }
    Limbs operator[](std::size_t place) const {
        return {numbers_[place].data(), numbers_[place].size()};
    }

private:
    std::vector<std::vector<Limb>> numbers_;
};

// What is done with an entry that arrives at a place: it is added to the number there.
struct AddWords {
    Table& table;
    void operator()(std::uint64_t place, std::uint64_t count) { table.words[place] += count; }
    template <typename Counts>
    void run(std::uint64_t to, Counts counts, std::uint64_t from, std::size_t size) {
        std::uint64_t* const at = &table.words[to];
        for (std::size_t k = 0; k < size; ++k) at[k] += counts[from + k];
    }
    void keyed(Key key, std::uint64_t count) {
        const std::uint64_t place = table.keys.find_or_add(key);
        if (place == table.words.size())
            table.words.push_back(count);
        else
            table.words[place] += count;
    }
};

struct AddLimbs {
    Table& table;
    void operator()(std::uint64_t place, Limbs count) {
        add_number(&table.limbs[place * table.width], table.width, count);
    }
    void run(std::uint64_t to, LimbWords counts, std::uint64_t from, std::size_t size) {
        for (std::size_t k = 0; k < size; ++k) (*this)(to + k, counts[from + k]);
    }
    void keyed(Key key, Limbs count) {
        const std::uint64_t place = table.keys.find_or_add(key);
        if (place * table.width == table.limbs.size())
            table.limbs.resize((place + 1) * table.width);
        (*this)(place, count);
    }
};

// Or it is multiplied with the number there, and the products are added up.
struct MultiplyWords {
    const Table& table;
    ProductSum sum = {};
    void operator()(std::uint64_t place, std::uint64_t count) {
        sum.add(table.words[place], count);
    }
    template <typename Counts>
    void run(std::uint64_t to, Counts counts, std::uint64_t from, std::size_t size) {
        const std::uint64_t* const at = &table.words[to];
        for (std::size_t k = 0; k < size; ++k) sum.add(at[k], counts[from + k]);
    }
    void keyed(Key key, std::uint64_t count) {
        const std::uint64_t place = table.keys.find(key);
        if (place != KeyTable::kAbsent) (*this)(place, count);
    }
};

struct MultiplyLimbs {
    const Table& table;
    std::vector<Limb> sum;  // wide enough
    void operator()(std::uint64_t place, Limbs count) {
        const Limb* const mine = &table.limbs[place * table.width];
        for (std::size_t i = 0; i < count.size; ++i) {
            std::uint64_t carry = 0;
            for (std::size_t j = 0; i + j < sum.size() && (j < table.width || carry != 0); ++j) {
                carry += sum[i + j];
                if (j < table.width) carry += static_cast<std::uint64_t>(count.at[i]) * mine[j];
                sum[i + j] = static_cast<Limb>(carry);
                carry >>= 32;
            }
        }
    }
    void run(std::uint64_t to, LimbWords counts, std::uint64_t from, std::size_t size) {
        for (std::size_t k = 0; k < size; ++k) (*this)(to + k, counts[from + k]);
    }
    void keyed(Key key, Limbs count) {
        const std::uint64_t place = table.keys.find(key);
        if (place != KeyTable::kAbsent) (*this)(place, count);
    }
};

}  // namespace exactile
