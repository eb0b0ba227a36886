// Estimates the number of solutions by a sampled frontier that estimates the value of its states.
//
// As in sampled.hpp; states are those of guide.hpp, and are preferred by their weight times their
// potential. The states of a node are made at once, from those of the nodes before it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "dice.hpp"
#include "guide.hpp"

namespace exactile {

class GuidedRun {
public:
    // `states` of a level stay; with `most`, a level is thinned before it is complete.
    GuidedRun(std::shared_ptr<const Guide> guide, std::uint64_t states, std::uint64_t most,
              std::uint64_t seed);
    GuidedRun(const GuidedRun&) = delete;
    GuidedRun& operator=(const GuidedRun&) = delete;

    // As in SampledRun.
    bool advance(double seconds);
    double mantissa() const { return total_; }
    int exponent() const { return exponent_; }
    bool thinned() const { return thinned_; }
    std::uint64_t made() const { return made_; }
    std::size_t reached() const { return reached_; }

private:
    struct State {
        Key key;
        double weight;
    };
    // The states that are made of a node, each key once; a weight of 0 is an empty place.
    class Table {
    public:
        void reset(std::size_t expected);
        void add(Key key, double weight);
        std::size_t size() const { return size_; }
        template <typename Use>
        void each(Use use) const {
            for (std::size_t k = 0; k < capacity_; ++k)
                if (places_[k].weight != 0) use(places_[k]);
        }

    private:
        void grow();

        std::vector<State> places_, old_;
        std::size_t capacity_ = 0, size_ = 0;
        int shift_ = 0;
    };

    void begin_node();
    void pull(std::uint64_t edge);
    void meet(const State* states, std::size_t count, const Label& label);
    void put();
    void thin();
    void end_level();
    void rescale();
    double ways(std::uint32_t node, Key key) const;

    std::shared_ptr<const Guide> shared_;
    const Guide& guide_;
    std::uint64_t states_, most_;
    Dice dice_;
    std::vector<std::vector<State>> open_;  // by level; of a level node by node
    std::vector<std::pair<std::uint32_t, std::uint32_t>> place_;  // of each node: first and number
    std::vector<float> measure_;  // of the states of the present level, in bits
    std::vector<float> linear_;
    std::vector<std::vector<float>> group_worth_;
    Table table_;
    std::uint32_t level_ = 0, number_ = 0;  // of a node in its level
    std::uint64_t edge_ = 0, last_edge_ = 0;
    std::uint64_t work_ = 0;  // since the clock was read
    double total_ = 0;
    int exponent_ = 0;
    bool thinned_ = false, over_ = false;
    std::uint64_t made_ = 0;
    std::size_t reached_ = 0;
};

}  // namespace exactile
