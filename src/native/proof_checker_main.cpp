// The proof checker as a program of its own, without Python:
//
//     g++ -O2 -std=c++20 -o check-proof src/native/proof_checker_main.cpp
//     src/native/proof_checker.cpp check-proof CNF PROOF [--lrat] [--assume "1 -2 3"]
//         [--write-lrat FILE]
//
// It prints "s VERIFIED" and exits with 0, or "s NOT VERIFIED" with the line and the fault, and
// exits with 1; with 2 if it is called wrongly or cannot open or write a file.

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include "proof_checker.hpp"

static int usage() {
    std::fprintf(
        stderr,
        "usage: check-proof CNF PROOF [--lrat] [--assume \"1 -2 3\"] [--write-lrat FILE]\n");
    return 2;
}

template <typename File>
static bool open(File& file, const char* path) {
    errno = 0;
    file.open(path, std::ios::binary);
    if (!file) std::fprintf(stderr, "cannot open %s: %s\n", path, std::strerror(errno));
    return static_cast<bool>(file);
}

int main(int argc, char** argv) {
    using namespace exactile;
    std::vector<const char*> paths;
    std::vector<std::int64_t> assumed;
    ProofKind kind = ProofKind::kDrup;
    const char* written = nullptr;
    for (int k = 1; k < argc; ++k) {
        const std::string argument = argv[k];
        if (argument == "--lrat") {
            kind = ProofKind::kLrat;
        } else if (argument == "--assume" && k + 1 < argc) {
            std::istringstream literals(argv[++k]);
            for (std::int64_t literal; literals >> literal;) assumed.push_back(literal);
            if (!literals.eof()) return usage();
        } else if (argument == "--write-lrat" && k + 1 < argc) {
            written = argv[++k];
        } else if (argument.starts_with("--")) {
            return usage();
        } else {
            paths.push_back(argv[k]);
        }
    }
    if (paths.size() != 2 || (written && kind == ProofKind::kLrat)) return usage();
    std::ifstream formula, proof;
    std::ofstream hints;
    if (!open(formula, paths[0]) || !open(proof, paths[1])) return 2;
    if (written && !open(hints, written)) return 2;
    try {
        const CheckedProof done =
            check_proof(formula, proof, kind, assumed, nullptr, written ? &hints : nullptr);
        hints.flush();
        std::printf("c %llu lemmas, %llu deletions, %llu propagations\n",
                    static_cast<unsigned long long>(done.lemmas),
                    static_cast<unsigned long long>(done.deletions),
                    static_cast<unsigned long long>(done.propagations));
        std::printf("s VERIFIED\n");
        if (hints) return 0;
        std::fprintf(stderr, "cannot write %s\n", written);
        return 2;
    } catch (const ProofRefused& refused) {
        std::printf("s NOT VERIFIED %s\n", refused.what());
    } catch (const std::bad_alloc&) {
        std::printf("s NOT VERIFIED there is not enough memory\n");
    }
    return 1;
}
