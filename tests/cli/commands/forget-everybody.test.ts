import { PassThrough } from 'node:stream'
import { expect, it, onTestFinished, vi } from 'vitest'
import { questionOnTerminal } from '../../../src/cli/commands/forget-everybody.ts'
import { emptySqlite } from '../../fixtures/empty-sqlite.ts'
import { everybodyContract } from './everybody.ts'

everybodyContract('a list in a file', emptySqlite)

it('asks on a terminal, and where there is none asks nothing', async () => {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  const mocks = [
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(stdin as never),
    vi.spyOn(process.stderr, 'write').mockReturnValue(true),
  ]
  onTestFinished(() => {
    for (const mock of mocks) mock.mockRestore()
  })
  const asked = questionOnTerminal()?.('How many? ')
  stdin.write('7\n')
  expect(await asked).toBe('7')
  stdin.isTTY = false
  expect(questionOnTerminal()).toBeUndefined()
})
