import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
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
})
