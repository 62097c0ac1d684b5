// A plugin for QEMU 7 that counts the instructions of an emulated program: benchmarks/arm_instructions.py.
//
// Where the program makes the system call whose number is `marker`, the count so far is written to the file `out`.
// Debian has no header file of QEMU's interface for plugins: what is used of it is declared here.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

typedef uint64_t Id;
typedef uint64_t Word;
typedef struct qemu_plugin_tb Block;
typedef void (*OnTranslation)(Id, Block*);
typedef void (*OnCall)(Id, unsigned cpu, int64_t number, Word, Word, Word, Word, Word, Word, Word, Word);
enum { kAdd = 0 };

size_t qemu_plugin_tb_n_insns(const Block*);
void qemu_plugin_register_vcpu_tb_trans_cb(Id, OnTranslation);
void qemu_plugin_register_vcpu_tb_exec_inline(Block*, int operation, void* number, uint64_t operand);
void qemu_plugin_register_vcpu_syscall_cb(Id, OnCall);

EXPORTED int qemu_plugin_version = 1;

static uint64_t count;
static int64_t marker;
static FILE* out;

static void count_when_run(Id id, Block* block) {
  (void)id;
  qemu_plugin_register_vcpu_tb_exec_inline(block, kAdd, &count, qemu_plugin_tb_n_insns(block));
}

static void write_count(Id id, unsigned cpu, int64_t number, Word a, Word b, Word c, Word d, Word e, Word f, Word g,
                        Word h) {
  (void)id, (void)cpu, (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;
  if (number != marker) return;
  fprintf(out, "%" PRIu64 "\n", count);
  fflush(out);
}

EXPORTED int qemu_plugin_install(Id id, const void* info, int argc, char** argv) {
  (void)info;
  for (int i = 0; i < argc; ++i) {
    if (strncmp(argv[i], "out=", 4) == 0) out = fopen(argv[i] + 4, "w");
    if (strncmp(argv[i], "marker=", 7) == 0) marker = atoll(argv[i] + 7);
  }
  if (out == NULL) return 1;
  qemu_plugin_register_vcpu_tb_trans_cb(id, count_when_run);
  qemu_plugin_register_vcpu_syscall_cb(id, write_count);
  return 0;
}
