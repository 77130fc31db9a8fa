import type { Out } from '../../src/operator/out.ts'

/** An `Out` that keeps what was said, without colours. */
export function listening() {
  let result = ''
  const said: string[] = []
  const same = (text: string) => text
  const out: Out = {
    write: async (text) => {
      result += text
    },
    say: (text) => said.push(text),
    progress: () => {},
    style: { bold: same, dim: same, green: same, red: same, yellow: same },
    width: 80,
  }
  return { out, said, result: () => result }
}
