#include "front_worker.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <numeric>
#include <utility>

namespace exactile {

static_assert(std::endian::native == std::endian::little, "limbs of words are read in place");

// A table by rank pays if so many times the entries that come fill it.
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

static std::uint32_t bits_of_count(std::uint64_t n) {
    return static_cast<std::uint32_t>(std::bit_width(n));
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
    bits += bits_of_count(last_edge_ - edge_);
    const Class* const target = front_.class_at(side, node_);
    const bool by_rank = target != nullptr && entries * kRankedFill >= target->size;
    table_.clear(by_rank ? target : nullptr, std::min<std::uint64_t>(entries, 2048), bits <= 64,
                 (bits + 31) / 32);
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

// Turn the table into a list: ranked if that takes less room.
bool Worker::finish_list(Side side) {
    List& list = front_.list(side, node_);
    const std::uint64_t places = table_.size();
    const auto number = [&](std::uint64_t k) {
        return Limbs{&table_.limbs[k * table_.width], table_.width};
    };
    std::uint64_t entries = 0;
    if (table_.narrow) {
        std::uint64_t all = 0;
        for (const std::uint64_t word : table_.words) {
            entries += word != 0;
            all |= word;
        }
        list.bits = bits_of_count(all);
    } else {
        for (std::uint64_t k = 0; k < places; ++k) {
            const std::uint32_t bits = bits_of(number(k));
            entries += bits != 0;
            list.bits = std::max(list.bits, bits);
        }
    }
    entries_ += entries;
    if (entries == 0) {
        list.made = true;
        return true;
    }
    list.limbs = (list.bits + 31) / 32;
    list.key_bytes = front_.key_bytes;
    list.ranked = table_.ranked != nullptr;
    list.size = places;
    const std::uint64_t with_ranks = list.bytes();
    list.ranked = false;
    list.size = entries;
    if (table_.ranked != nullptr && with_ranks <= list.bytes()) {
        list.ranked = true;
        list.size = places;
    }
    std::unique_ptr<std::byte[]> data(new std::byte[list.bytes()]);
    std::uint64_t at = 0;
    const auto write = [&](std::uint64_t place) {
        std::byte* const to = data.get() + at * 4 * list.limbs;
        if (table_.narrow)
            std::memcpy(to, &table_.words[place], 4 * list.limbs);  // the low limbs come first
        else
            std::memcpy(to, number(place).at, 4 * list.limbs);
        ++at;
    };
    const auto write_key = [&](Key key) {
        std::memcpy(data.get() + list.keys_at() + at * list.key_bytes, &key, list.key_bytes);
    };
    if (list.ranked) {
        for (std::uint64_t k = 0; k < places; ++k) write(k);
    } else if (table_.ranked != nullptr) {
        for (const Class::Run& run : table_.ranked->runs) {
            const std::vector<std::uint32_t>& lows = front_.supply.low_values(run.low);
            for (std::size_t k = 0; k < lows.size(); ++k) {
                const std::uint64_t place = run.offset + k;
                if (table_.narrow ? table_.words[place] == 0 : bits_of(number(place)) == 0)
                    continue;
                write_key(front_.supply.join(run.high, lows[k]));
                write(place);
            }
        }
    } else {
        const std::vector<Key>& keys = table_.keys.keys();
        std::vector<std::uint64_t> order(places);
        std::iota(order.begin(), order.end(), 0);
        if (front_.keep)  // so that they can be looked up
            std::sort(order.begin(), order.end(),
                      [&](std::uint64_t a, std::uint64_t b) { return keys[a] < keys[b]; });
        for (const std::uint64_t k : order) {
            write_key(keys[k]);
            write(k);
        }
    }
    return store_.keep(list, std::move(data));
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
        bits = std::max(bits, list.bits + bits_of_count(list.size));
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
    table_.clear(by_rank ? target : nullptr, mine.size, narrow, mine.limbs);
    const std::byte* const data = store_.read(mine, buffer_);
    const Class* const own = front_.class_at(Side::backward, node_);
    const Key full = front_.supply.full();
    if (narrow)
        with_words(mine, data, [&](auto counts) {
            each_entry(front_.supply, own, mine, data, counts, [&](Key key, std::uint64_t count) {
                table_.words[table_.place(front_.supply, full - key)] = count;
            });
        });
    else
        with_limbs(mine, data, [&](LimbWords counts) {
            each_entry(front_.supply, own, mine, data, counts, [&](Key key, Limbs count) {
                const std::uint64_t place = table_.place(front_.supply, full - key);
                std::copy_n(count.at, count.size, &table_.limbs[place * table_.width]);
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
