import { EventEmitter } from 'node:events'
import { expect, it, onTestFinished, vi } from 'vitest'
import { deliveryLine } from '../../src/cli/commands/deliveries.ts'
import { EndedFromOutside } from '../../src/shared/ended-from-outside.ts'
import { UNMAILABLE } from '../../src/shared/mailable.ts'
import { chart } from '../../src/terminal/chart.ts'
import { readEmail } from '../../src/terminal/email-argument.ts'
import { exitCodes } from '../../src/terminal/exit-codes.ts'
import { Misuse, OperatorError } from '../../src/terminal/operator-error.ts'
import {
  answerInWords,
  goneInWords,
  leftOut,
  reasonInWords,
  stood,
} from '../../src/terminal/standing-words.ts'
import { stopSignal } from '../../src/terminal/stop-signal.ts'
import { colored, plain, printable, visibleLength } from '../../src/terminal/style.ts'
import { columns, inARow, localTime, quoted } from '../../src/terminal/words.ts'

const counts = {
  ...{ subscribed: 0, pending: 0, quarantined: 0, unsubscribed: 0, bounced: 0, complained: 0 },
  forgotten: 0,
}

it('a chart has the highest value at its top, and shows the smallest one', () => {
  expect(chart([0, 1, 12, 24, 48], ['Mon', 'Fri']).split('\n')).toEqual([
    '48 │        █',
    '   │        █',
    '   │        █',
    '   │      █ █',
    '   │    ▄ █ █',
    ' 0 │  ▁ █ █ █',
    '   └─────────',
    '    Mon   Fri',
  ])
  expect(chart([0, 0], ['a', 'b']).split('\n').at(-3)).toBe('0 │')
  expect(chart([0, 0], ['first', 'last']).split('\n').at(-1)).toBe('   first last')
})

it('a row of an announcement says who, how and why', () => {
  const at = new Date(2026, 10, 5, 9, 7)
  const row = {
    announcement: 'launch',
    email: 'ada@example.com',
    tries: 1,
    changedAt: at,
    answer: undefined,
  }
  const line = (more: object) => deliveryLine({ ...row, ...more } as never, { style: plain })
  expect(line({ status: 'sent', answer: '250 ok' })).toBe(
    '2026-11-05 09:07  sent        ada@example.com  250 ok\n',
  )
  expect(
    line({ status: 'suppressed', standing: 'mailbox', answer: '450 later', language: 'de' }),
  ).toBe(
    '2026-11-05 09:07  suppressed  ada@example.com  in de  shared a mailbox with three who get it\n',
  )
  expect(line({ status: 'forgotten', email: undefined })).toBe(
    '2026-11-05 09:07  forgotten   (forgotten)\n',
  )
  const painted = (status: string) =>
    deliveryLine({ ...row, status } as never, { style: { ...plain, ...marked } })
  const marked = {
    green: (text: string) => `green(${text})`,
    red: (text: string) => `red(${text})`,
    yellow: (text: string) => `yellow(${text})`,
    dim: (text: string) => `dim(${text})`,
  }
  const paints = ['sent', 'failed', 'uncertain', 'queued'].map(painted)
  expect(paints.map((one) => /(\w+)\(\w+ +\)/.exec(one)?.[1])).toEqual([
    'green',
    'red',
    'yellow',
    'dim',
  ])
})

it('the exit codes mean the same to scripts in every version', () => {
  expect(exitCodes).toEqual({
    done: 0,
    failed: 1,
    misused: 2,
    partly: 3,
    tryAgain: 75,
    stopped: 130,
  })
  expect(readEmail('Ada@Example.com')).toBe('ada@example.com')
  expect(() => readEmail('ada')).toThrow(new Misuse('"ada" is not an e-mail address.'))
  expect(new OperatorError('x').name).toBe('OperatorError')
})

it('those who get no letters are counted by how they stand', () => {
  expect(goneInWords({ ...counts, subscribed: 5 })).toBe('')
  expect(goneInWords({ ...counts, subscribed: 5, unsubscribed: 2000, bounced: 1 })).toBe(
    '1 bounced, 2,000 unsubscribed',
  )
  expect(leftOut(counts)).toBe('')
  expect(leftOut({ ...counts, complained: 1 })).toBe(
    ' Left out: 1 complained; --all has everybody.',
  )
  const at = new Date(2026, 0, 2, 3, 4)
  expect([stood({ at }), stood({ at, detail: '550 no' })]).toEqual([
    '2026-01-02 03:04',
    '2026-01-02 03:04, "550 no"',
  ])
})

it('a reason is said in words', () => {
  const reasons = ['mailbox', 'answer', 'heard', 'unmailable', 'told', 'bounced'] as const
  expect(reasons.map(reasonInWords)).toEqual([
    'shared a mailbox with three who get it',
    'gave another answer, or none',
    'heard from you in the last 60 days, or answered',
    'gave an address that no letter can be sent to',
    'got another announcement',
    'bounced',
  ])
  expect([answerInWords(UNMAILABLE), answerInWords('250 ok')]).toEqual([
    'no letter can be sent to this address',
    '250 ok',
  ])
})

it('the first Ctrl-C lets work finish, and one two seconds later ends at once', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const host = Object.assign(new EventEmitter(), { exit: vi.fn() })
  const said: string[] = []
  const signal = stopSignal(host as never, (text) => said.push(text))
  expect(signal.aborted).toBe(false)
  host.emit('SIGINT', 'SIGINT')
  expect(signal.aborted).toBe(true)
  expect(signal.reason).toMatchObject({ name: 'AbortError' })
  vi.advanceTimersByTime(2000)
  host.emit('SIGINT', 'SIGINT')
  expect(host.exit).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  host.emit('SIGINT', 'SIGINT')
  expect(host.exit).toHaveBeenCalledExactlyOnceWith(130)
  expect(said).toEqual(['Stopping: work under way is finished first. Ctrl-C again stops at once.'])
  for (const by of ['SIGTERM', 'SIGHUP']) {
    const other = new EventEmitter()
    const ended = stopSignal(other as never, () => {})
    other.emit(by, by)
    expect(ended.reason).toBeInstanceOf(EndedFromOutside)
    expect(ended.reason.message).toBe(`Ended by ${by}.`)
  }
})

it('what is not ours is written out, and what is painted has the width of its words', () => {
  expect(printable('a\u009bb\u202e\r\n\tc\r\u200d\u{e0001}')).toBe(
    'a\\u009bb\\u202e\r\n\tc\\u000d\u200d\\udb40\\udc01',
  )
  const names = ['bold', 'dim', 'red', 'green', 'yellow', 'print'] as const
  expect(names.map((name) => printable(colored[name]('x')))).toEqual([
    '\u001b[1mx\u001b[22m',
    '\u001b[2mx\u001b[22m',
    '\u001b[31mx\u001b[39m',
    '\u001b[32mx\u001b[39m',
    '\u001b[33mx\u001b[39m',
    '\u001b[30m\u001b[107mx\u001b[49m\u001b[39m',
  ])
  expect(names.map((name) => visibleLength(colored[name]('xyz')))).toEqual([3, 3, 3, 3, 3, 3])
  expect(names.map((name) => plain[name]('x'))).toEqual(['x', 'x', 'x', 'x', 'x', 'x'])
})

it('words stand in a row, in quotes and in columns', () => {
  expect([inARow(['a']), inARow(['a', 'b']), inARow(['a', 'b', 'c'])]).toEqual([
    'a',
    'a and b',
    'a, b and c',
  ])
  expect([quoted('a"b'), quoted(7), quoted(undefined)]).toEqual(['"a\\"b"', '7', ''])
  expect(quoted('x'.repeat(78))).toBe(`"${'x'.repeat(78)}"`)
  expect(quoted('x'.repeat(79))).toBe(`"${'x'.repeat(78)}…`)
  expect(localTime(new Date(2026, 0, 2, 3, 4))).toBe('2026-01-02 03:04')
  expect(
    columns(
      [
        ['a', '1', 'x'],
        ['bcd', '1,000', ''],
      ],
      [1],
    ),
  ).toBe('a        1  x\nbcd  1,000')
  expect(columns([['a', 'b'], ['ccc']])).toBe('a    b\nccc')
  expect(
    columns([
      [colored.red('a'), 'b'],
      ['cc', 'd'],
    ])
      .split('\n')
      .map(visibleLength),
  ).toEqual([5, 5])
})
