#include "front_worker.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <utility>

namespace exactile {

static_assert(std::endian::native == std::endian::little, "limbs of words are read in place");

// A table by rank pays if this multiple of the entries that come fills it.
static constexpr std::uint64_t kRankedFill = 6;
static constexpr std::uint64_t kRankedFillOfJoin = 4;

const Class* Front::class_at(Side side, std::uint32_t node) const {
    if (class_of.empty()) return nullptr;
    return class_of[side == Side::forward ? weight[node] : supply.full_weight() - weight[node]];
}

// Call `use(counts)` with the counts of a list as 64-bit numbers, or of any size.
template <typename Use>
static void with_words(const List& list, const std::byte* data, Use use) {
    if (list.limbs == 1)
        use(Words<std::uint32_t>{reinterpret_cast<const std::uint32_t*>(data)});
    else
        use(Words<std::uint64_t>{reinterpret_cast<const std::uint64_t*>(data)});
}

template <typename Use>
static void with_limbs(const List& list, const std::byte* data, Use use) {
    use(LimbWords{reinterpret_cast<const Limb*>(data), list.limbs});
}

template <typename Use>
static void with_keys(const List& list, const std::byte* data, Use use) {
    const std::byte* const keys = data + list.keys_at();
    if (list.key_bytes == 4)
        use(Words<std::uint32_t>{reinterpret_cast<const std::uint32_t*>(keys)});
    else
        use(Words<std::uint64_t>{reinterpret_cast<const std::uint64_t*>(keys)});
}

// Call `use(key, count)` for each entry.
template <typename Counts, typename Use>
static void each_entry(const Supply& supply, const Class* own, const List& list,
                       const std::byte* data, Counts counts, Use use) {
    if (list.ranked)
        each_ranked(supply, *own, counts, use);
    else
        with_keys(list, data, [&](auto keys) {
            for (std::uint64_t k = 0; k < list.size; ++k) use(static_cast<Key>(keys[k]), counts[k]);
        });
}

// Send the entries of a list to a sink.
template <typename Counts, typename Sink>
static void pass(const Passage& way, const List& list, const std::byte* data, Counts counts,
                 Sink& sink) {
    if (list.ranked && way.to != nullptr) {
        pass_ranked(way, counts, sink);
    } else if (list.ranked) {
        each_ranked(way.supply, *way.from, counts, [&](Key key, auto count) {
            if (way.label.fits(key)) sink.keyed(key + way.label.add, count);
        });
    } else {
        with_keys(list, data, [&](auto keys) { pass_keyed(way, list.size, keys, counts, sink); });
    }
}

void each_number(const Front& front, const ListStore& store, Side side, std::uint32_t node,
                 const std::function<void(Key, Limbs)>& use) {
    const List& list = front.list(side, node);
    if (list.size == 0) return;
    std::vector<std::byte> buffer;
    const std::byte* const data = store.read(list, buffer);
    with_limbs(list, data, [&](LimbWords counts) {
        each_entry(front.supply, front.class_at(side, node), list, data, counts, use);
    });
}

void find_number(const Front& front, const ListStore& store, Side side, std::uint32_t node, Key key,
                 std::vector<Limb>& number) {
    std::fill(number.begin(), number.end(), 0);
    const List& list = front.list(side, node);
    std::uint64_t place = 0;
    if (list.ranked) {
        place = front.supply.rank_of(*front.class_at(side, node), key);
    } else {
        Key found = 0;
        std::uint64_t end = list.size;
        while (place < end) {
            const std::uint64_t middle = place + (end - place) / 2;
            found = 0;
            store.read_part(list, list.keys_at() + middle * list.key_bytes, list.key_bytes, &found);
            if (found == key) {
                place = middle;
                break;
            }
            (found < key ? place : end) = found < key ? middle + 1 : middle;
        }
        if (place == end) return;
    }
    store.read_part(list, place * 4 * list.limbs,
                    4 * std::min<std::size_t>(list.limbs, number.size()), number.data());
}

static std::uint32_t bits_of(Limbs number) {
    for (std::size_t k = number.size; k-- > 0;)
        if (number.at[k] != 0)
            return static_cast<std::uint32_t>(32 * k) +
                   static_cast<std::uint32_t>(std::bit_width(number.at[k]));
    return 0;
}

static std::uint32_t bits_of(std::uint64_t number) {
    return static_cast<std::uint32_t>(std::bit_width(number));
}

bool Worker::late(Clock::time_point deadline) {
    if (operations_ < checked_ + kOperationsPerCheck) return false;
    checked_ = operations_;
    return Clock::now() >= deadline;
}

void Worker::take_up(std::uint32_t node, const Edges& edges) {
    busy_ = true;
    node_ = node;
    edges_ = &edges;
    edge_ = edges.first[node];
    last_edge_ = edges.first[node + 1];
    operations_ += 16;  // so that the clock is read among many nodes without entries
}

bool Worker::make_lists(Side side, const std::vector<std::uint32_t>& queue,
                        std::atomic<std::size_t>& next, Clock::time_point deadline) {
    const Edges& edges = side == Side::forward ? front_.in : front_.out;
    while (!late(deadline)) {
        if (!busy_) {
            const std::size_t at = next++;
            if (at >= queue.size()) return true;
            if (front_.list(side, queue[at]).made) continue;
            take_up(queue[at], edges);
            begin_list(side);
        }
        for (; edge_ < last_edge_; ++edge_) {
            if (late(deadline)) return true;
            add_edge(side);
        }
        if (!finish_list(side)) return false;
        busy_ = false;
    }
    return true;
}

// No number of the list has more bits than the largest that come, and those of how many there are.
void Worker::begin_list(Side side) {
    std::uint64_t entries = 0;
    std::uint32_t bits = 0;
    for (std::uint64_t e = edge_; e < last_edge_; ++e) {
        const List& list = front_.list(side, edges_->node[e]);
        entries += list.size;
        bits = std::max(bits, list.bits);
    }
    bits += bits_of(last_edge_ - edge_);
    const Class* const target = front_.class_at(side, node_);
    const bool by_rank = target != nullptr && entries * kRankedFill >= target->size;
    table_.clear(by_rank ? target : nullptr, std::min<std::uint64_t>(entries, 2048), bits <= 64,
                 (bits + 31) / 32, node_);
}

void Worker::add_edge(Side side) {
    const std::uint32_t other = edges_->node[edge_];
    const List& list = front_.list(side, other);
    if (list.size == 0) return;
    const std::byte* const data = store_.read(list, buffer_);
    const Passage way{front_.supply, front_.class_at(side, other), table_.ranked,
                      front_.label(*edges_, edge_)};
    if (table_.narrow)
        with_words(list, data, [&](auto counts) {
            AddWords sink{table_};
            pass(way, list, data, counts, sink);
        });
    else
        with_limbs(list, data, [&](LimbWords counts) {
            AddLimbs sink{table_};
            pass(way, list, data, counts, sink);
        });
    operations_ += list.size;
}

// Call `use(number)` for all numbers of a ranked table, in the order of ranks.
template <typename Use>
static void each_by_rank(const Table& table, Use use) {
    for (std::uint64_t k = 0; k < table.ranked->size; ++k)
        if (table.narrow)
            use(table.words[k]);
        else
            use(Limbs{&table.limbs[k * table.width], table.width});
}

// Call `use(key, number)` for all numbers of a table but zeros.
template <typename Use>
static void each_by_key(const Supply& supply, const Table& table, Use use) {
    if (table.ranked != nullptr && table.narrow)
        each_ranked(supply, *table.ranked, Words<std::uint64_t>{table.words.data()}, use);
    else if (table.ranked != nullptr)
        each_ranked(supply, *table.ranked, LimbWords{table.limbs.data(), table.width}, use);
    else if (table.narrow)
        table.keys.each(use);
    else
        table.keys.each([&](Key key, std::uint64_t place) {
            use(key, Limbs{&table.limbs[(place - 1) * table.width], table.width});
        });
}

static void write_number(std::byte* to, std::uint32_t limbs, std::uint64_t word) {
    if (limbs == 1) {
        const auto low = static_cast<std::uint32_t>(word);
        std::memcpy(to, &low, 4);
    } else {
        std::memcpy(to, &word, 8);
    }
}

static void write_number(std::byte* to, std::uint32_t limbs, Limbs number) {
    std::memcpy(to, number.at, 4 * limbs);
}

// How many numbers of a table are not zero, and the bits of the largest.
static std::pair<std::uint64_t, std::uint32_t> survey(const Supply& supply, const Table& table) {
    if (table.ranked == nullptr && table.narrow)
        return {table.keys.size(), bits_of(table.keys.all_bits())};
    std::uint64_t entries = 0;
    std::uint32_t bits = 0;
    each_by_key(supply, table, [&](Key, auto number) {
        ++entries;
        bits = std::max(bits, bits_of(number));
    });
    return {entries, bits};
}

// Turn the table into a list: ranked if that takes less room.
bool Worker::finish_list(Side side) {
    List& list = front_.list(side, node_);
    const auto [entries, bits] = survey(front_.supply, table_);
    entries_ += entries;
    if (entries == 0) {
        list.made = true;
        return true;
    }
    list.bits = bits;
    list.limbs = (bits + 31) / 32;
    list.key_bytes = front_.key_bytes;
    list.size = entries;
    list.ranked = false;
    if (table_.ranked != nullptr && table_.ranked->size * 4 * list.limbs <= list.bytes()) {
        list.ranked = true;
        list.size = table_.ranked->size;
    }
    std::unique_ptr<std::byte[]> data(new std::byte[list.bytes()]);
    write(list, data.get());
    return store_.keep(list, std::move(data));
}

void Worker::write(const List& list, std::byte* data) {
    std::byte* counts = data;
    const auto write_count = [&](auto number) {
        write_number(counts, list.limbs, number);
        counts += 4 * list.limbs;
    };
    std::byte* keys = data + list.keys_at();
    const auto write_both = [&](Key key, auto number) {
        write_count(number);
        write_number(keys, list.key_bytes / 4, key);
        keys += list.key_bytes;
    };
    if (list.ranked) {
        each_by_rank(table_, write_count);
    } else if (table_.ranked != nullptr) {
        each_by_key(front_.supply, table_, write_both);
    } else if (front_.keep) {  // in order, so that they can be looked up
        std::vector<Key> sorted;
        table_.keys.each([&](Key key, std::uint64_t) { sorted.push_back(key); });
        std::sort(sorted.begin(), sorted.end());
        for (const Key key : sorted)
            if (table_.narrow)
                write_both(key, table_.keys.find(key));
            else
                write_both(key, Limbs{table_.number(key), table_.width});
    } else if (!table_.narrow) {
        each_by_key(front_.supply, table_, write_both);
    } else {
        const auto write_slots = [&](auto* numbers) {
            if (list.key_bytes == 4)
                table_.keys.write(numbers, reinterpret_cast<std::uint32_t*>(keys));
            else
                table_.keys.write(numbers, reinterpret_cast<std::uint64_t*>(keys));
        };
        if (list.limbs == 1)
            write_slots(reinterpret_cast<std::uint32_t*>(counts));
        else
            write_slots(reinterpret_cast<std::uint64_t*>(counts));
    }
}

void Worker::join(const std::vector<std::uint32_t>& queue, std::atomic<std::size_t>& next,
                  Clock::time_point deadline) {
    while (!late(deadline)) {
        if (!busy_) {
            place_ = next++;
            if (place_ >= queue.size()) return;
            take_up(queue[place_], front_.in);
            begin_join();
        }
        for (; edge_ < last_edge_; ++edge_) {
            if (late(deadline)) return;
            const std::vector<Limb> number = joined(edge_);
            sums_.add(front_.whole ? edges_->mark[edge_] : place_, {number.data(), number.size()});
        }
        busy_ = false;
    }
}

void Worker::open(std::uint32_t node) {
    take_up(node, front_.in);
    begin_join();
    busy_ = false;
}

// A table of the numbers behind a node, by what must have been used before it.
void Worker::begin_join() {
    const List& mine = front_.list(Side::backward, node_);
    std::uint64_t entries = 0;
    std::uint32_t bits = 0;
    bool words = mine.limbs <= 2;
    for (std::uint64_t e = edge_; e < last_edge_; ++e) {
        if (!front_.joins(edges_->node[e])) continue;
        const List& list = front_.list(Side::forward, edges_->node[e]);
        entries += list.size;
        bits = std::max(bits, list.bits + bits_of(list.size));
        words = words && list.limbs <= 2;
    }
    if (mine.size == 0 || entries == 0) {
        edge_ = last_edge_;
        return;
    }
    const Class* const target = front_.class_at(Side::forward, node_);
    const bool by_rank =
        target != nullptr && (entries + mine.size) * kRankedFillOfJoin >= target->size;
    const bool narrow = words && mine.bits + bits <= 128;
    table_.clear(by_rank ? target : nullptr, mine.size, narrow, mine.limbs, node_);
    const std::byte* const data = store_.read(mine, buffer_);
    const Class* const own = front_.class_at(Side::backward, node_);
    const Key full = front_.supply.full();
    if (narrow)
        with_words(mine, data, [&](auto counts) {
            each_entry(front_.supply, own, mine, data, counts, [&](Key key, std::uint64_t count) {
                table_.word(front_.supply, full - key) = count;
            });
        });
    else
        with_limbs(mine, data, [&](LimbWords counts) {
            each_entry(front_.supply, own, mine, data, counts, [&](Key key, Limbs count) {
                std::copy_n(count.at, count.size, table_.number(front_.supply, full - key));
            });
        });
    operations_ += mine.size;
}

std::vector<Limb> Worker::joined(std::uint64_t edge) {
    const std::uint32_t other = edges_->node[edge];
    const List& list = front_.list(Side::forward, other);
    if (!front_.joins(other) || list.size == 0) return {};
    const std::byte* const data = store_.read(list, buffer_);
    const Passage way{front_.supply, front_.class_at(Side::forward, other), table_.ranked,
                      front_.label(*edges_, edge)};
    operations_ += list.size;
    if (!table_.narrow) {
        MultiplyLimbs sink{table_, std::vector<Limb>(table_.width + list.limbs + 2)};
        with_limbs(list, data, [&](LimbWords counts) { pass(way, list, data, counts, sink); });
        return std::move(sink.sum);
    }
    MultiplyWords sink{table_};
    with_words(list, data, [&](auto counts) { pass(way, list, data, counts, sink); });
    std::vector<Limb> sum(4);
    for (int k = 0; k < 4; ++k) sum[k] = sink.sum.part(k);
    return sum;
}

}  // namespace exactile
