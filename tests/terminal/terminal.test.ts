import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { OperatorError } from '../../src/terminal/operator-error.ts'
import { terminal } from '../../src/terminal/terminal.ts'
import { columns } from '../../src/terminal/words.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

/** A terminal that keeps what reaches it. */
function screen(isTTY = true) {
  let shown = ''
  const write = (chunk: Buffer, _: string, done: () => void) => {
    shown += chunk
    done()
  }
  const stream = () => Object.assign(new Writable({ write }), { isTTY, columns: 80 })
  return { streams: { stdout: stream(), stderr: stream() }, shown: () => shown }
}

const clipboard = '\u001b]52;c;ZXZpbA==\u0007'
const hostile = [
  clipboard,
  '\u009b2J',
  '\u009d0;title\u009c',
  '\rover',
  '\u202egnp.exe',
  '\u2066x\u2069',
  '\u2028line',
  '\b\b\u007f',
  '\u{e0041}',
]

describe('the terminal', () => {
  it('shows control and format characters from elsewhere, and obeys none', async () => {
    for (const text of hostile) {
      const { streams, shown } = screen()
      const { out } = terminal(streams, { color: true })
      await out.write(`a ${text}\n`)
      out.say(`b ${text}`)
      out.progress(`c ${text}`)
      const [, ours = ''] = /^([\s\S]*)$/.exec(shown().replaceAll('\r\u001b[2K', '')) ?? []
      expect(ours, JSON.stringify(text)).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
      expect(ours).toContain('\\u')
    }
  })

  it('keeps its own colours, and gives nobody else any', async () => {
    const { streams, shown } = screen()
    const { out } = terminal(streams, { color: true })
    const { red, bold } = out.style
    await out.write(`${columns([[bold('a'), red('\u001b[32mb')]])}|`)
    expect(shown()).toBe('\u001b[1ma\u001b[22m  \u001b[31m\\u001b[32mb\u001b[39m|')
  })

  it('writes JSON that reads back as it was', async () => {
    const { streams, shown } = screen(false)
    const { out } = terminal(streams, { color: false })
    await out.write(JSON.stringify(hostile))
    expect(shown()).not.toMatch(/[\u0080-\u009f]/)
    expect(JSON.parse(shown())).toEqual(hostile)
  })

  it('keeps line ends as CSV has them, tabs, and what holds letters together', async () => {
    const text = 'email\r\nada@example.com\r\n\tفارسی\u200cها 👩\u200d🚀\n'
    const output = join(tempDir(), 'list.csv')
    const { out, keep } = terminal(screen().streams, { color: true, output })
    await out.write(text)
    await keep()
    expect(readFileSync(output, 'utf8')).toBe(text)
  })

  it('shows progress on a line of its own, which goes before anything else is written', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { streams, shown } = screen()
    const { out, keep } = terminal(streams, { color: false })
    expect([out.isLive, out.width]).toEqual([true, 80])
    out.progress('too soon')
    vi.advanceTimersByTime(200)
    out.progress('1 of 3')
    out.progress('too soon again')
    vi.advanceTimersByTime(200)
    out.progress('2 of 3')
    out.say('a remark')
    await out.write('a result\n')
    vi.advanceTimersByTime(200)
    out.progress('3 of 3')
    await keep()
    const clear = '\r\u001b[2K'
    expect(shown()).toBe(`1 of 3${clear}2 of 3${clear}a remark\na result\n3 of 3${clear}`)
  })

  it('shows progress elsewhere as a line every ten seconds', () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { streams, shown } = screen(false)
    const { out } = terminal(streams, { color: true })
    for (let second = 0; second <= 20; second += 1) {
      out.progress(`after ${second} s`)
      vi.advanceTimersByTime(1000)
    }
    expect(shown()).toBe('after 10 s\nafter 20 s\n')
    expect(out.isLive).toBe(false)
  })

  it('is coloured on a terminal where that is allowed, and in no file', () => {
    const red = (isTTY: boolean, options: { color: boolean; output?: string }) => {
      const shown = terminal(screen(isTTY).streams, options)
      void shown.discard()
      return shown.out.style.red('x') !== 'x'
    }
    const output = join(tempDir(), 'out.csv')
    expect([
      red(true, { color: true }),
      red(true, { color: false }),
      red(false, { color: true }),
      red(true, { color: true, output }),
    ]).toEqual([true, false, false, false])
    const { stdout, stderr } = screen().streams
    const bare = Object.assign(stdout, { columns: undefined })
    expect(terminal({ stdout: bare as never, stderr }, { color: false }).out.width).toBe(80)
  })

  it('has a result in its file when that is whole, and else not', async () => {
    const dir = tempDir()
    const output = join(dir, 'out.csv')
    const left = terminal(screen().streams, { output, color: false })
    await left.out.write('half')
    await left.discard()
    expect(readdirSync(dir)).toEqual([])
    const { streams, shown } = screen()
    const whole = terminal(streams, { output, color: false })
    for (let i = 0; i < 100; i += 1) await whole.out.write('x'.repeat(10_000))
    whole.out.say('done')
    await whole.keep()
    expect(readFileSync(output, 'utf8')).toBe('x'.repeat(1_000_000))
    expect([shown(), readdirSync(dir)]).toEqual(['done\n', ['out.csv']])
  })

  it('says in a line which file cannot be written', () => {
    const output = join(tempDir(), 'none/out.csv')
    expect(() => terminal(screen().streams, { output, color: false })).toThrow(
      `${output}: cannot be written: `,
    )
    expect(() => terminal(screen().streams, { output, color: false })).toThrow(OperatorError)
  })
})
