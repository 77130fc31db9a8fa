/** Queues the work on one document, since parallel transactions on it wait for each other. */
export type InTurn = <T>(id: string, work: () => Promise<T>) => Promise<T>

export function inTurns(): InTurn {
  const turns = new Map<string, Promise<unknown>>()

  return async (id, work) => {
    const turn = (turns.get(id) ?? Promise.resolve()).then(work, work)
    turns.set(id, turn)
    try {
      return await turn
    } finally {
      if (turns.get(id) === turn) turns.delete(id)
    }
  }
}
