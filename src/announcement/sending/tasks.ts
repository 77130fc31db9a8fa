/** Work that goes on meanwhile. @param onEnd is called when any of it has ended */
export function tasks(onEnd: () => void) {
  const running = new Set<Promise<void>>()
  let broken: { readonly error: unknown } | undefined
  return {
    size: () => running.size,
    start(work: Promise<void>): void {
      const task = work
        .catch((error) => {
          broken ??= { error }
        })
        .finally(() => {
          running.delete(task)
          onEnd()
        })
      running.add(task)
    },
    /** @throws what any of it threw first */
    check() {
      if (broken) throw broken.error
    },
    all: () => Promise.all(running),
  }
}
