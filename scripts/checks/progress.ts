import { failed as inWords } from './counts.ts'
import { clock } from './times.ts'

/** How often a bar is drawn anew, at most. */
const DRAW_EVERY_MS = 100
const WIDTH = 20

/** Where it is shown: a terminal gets a bar, anything else only what failed. */
export interface Screen {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** Shows how far tests are while they run, and each failure whole as soon as it is known. */
export function showProgress(screen: Screen = process.stdout, now = () => performance.now()) {
  const begun = now()
  let drawn = Number.NEGATIVE_INFINITY
  let [passed, failed, done] = [0, 0, 0]
  let all: { readonly count: number; readonly unit: string } | undefined

  function draw() {
    if (!screen.isTTY || !all || now() - drawn < DRAW_EVERY_MS) return
    drawn = now()
    const full = Math.round((WIDTH * done) / Math.max(1, all.count))
    const bar = '█'.repeat(full).padEnd(WIDTH, '░')
    const left = `${all.count - done} ${all.unit} left`
    screen.write(
      `\r\u001b[2K${bar} ${passed} passed, ${failed} failed, ${left}, ${clock(now() - begun)}`,
    )
  }
  const erase = () => screen.isTTY && screen.write('\r\u001b[2K')

  return {
    /** @param unit what `done` counts, such as `files`. */
    begin(count: number, unit: string) {
      all = { count, unit }
      draw()
    },
    passed() {
      passed += 1
      draw()
    },
    failed(name: string, message: string) {
      failed += 1
      erase()
      screen.write(`FAILED ${inWords(name, message)}\n\n`)
      drawn = Number.NEGATIVE_INFINITY
      draw()
    },
    done() {
      done += 1
      draw()
    },
    end: erase,
  }
}
