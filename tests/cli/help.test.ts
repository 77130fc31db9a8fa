import { Command } from 'commander'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { describeBackup } from '../../src/cli/commands/backup.ts'
import { describeForget } from '../../src/cli/commands/forget-many.ts'
import { describeImport, describeSuppress } from '../../src/cli/commands/import-command.ts'
import { addInstall } from '../../src/cli/commands/install.ts'
import { program } from '../../src/cli/program.ts'

/** What `--help` prints, as one line. */
function help(describe: (command: Command) => Command): string {
  let text = ''
  const command = describe(new Command('it')).configureOutput({
    writeOut: (part) => {
      text += part
    },
  })
  command.outputHelp()
  return text.replace(/\s+/g, ' ')
}

describe('the help of', () => {
  it('import names the services whose exports it knows, and what can be told by hand', () => {
    const text = help(describeImport)
    for (const name of ['Mailchimp', 'Kit', 'Buttondown', 'listmonk', 'Ghost', 'Waitlister'])
      expect(text).toContain(name)
    for (const name of ['dry-run', 'email-column', 'time-column', 'status-column', 'utc-offset'])
      expect(text).toContain(`--${name}`)
  })

  it('suppress says what it reads, what it believes, and how it stands in a mail alias', () => {
    const text = help(describeSuppress)
    for (const name of ['Postmark', 'Amazon SES', 'SendGrid', 'Mailgun', 'Brevo', 'RFC 3464'])
      expect(text).toContain(name)
    expect(text).toContain('an unsubscribe link of ours, which strangers cannot know')
    expect(text).toContain('suppress - || exit 75"')
  })

  it('forget says that many are only shown at first', () => {
    expect(help(describeForget)).toContain('Several addresses are first shown and counted.')
  })

  it('backup promises no copy of everything, and says what is in none', () => {
    const text = help(describeBackup)
    expect(text).not.toContain('everything')
    expect(text).toContain('Letters are in no copy: they are files in DATA_DIR/letters.')
  })

  it('all of them refuses what cannot be meant', async () => {
    const wrong: [(command: Command) => Command, string[]][] = [
      [describeImport, ['--encoding', 'klingon']],
      [describeImport, ['--utc-offset', '2']],
      [describeImport, ['--utc-offset', '+15:00']],
      [describeImport, ['--dates', 'year-first']],
      [describeSuppress, ['--as', 'forgotten']],
      [describeForget, ['--yes-count', '0']],
    ]
    for (const [describe, args] of wrong) {
      const silent = { writeErr: () => {} }
      const command = describe(new Command('it')).exitOverride().configureOutput(silent)
      await expect(command.parseAsync(args, { from: 'user' }), args.join(' ')).rejects.toThrow()
    }
  })
})

it('says of each option of each command what it does', () => {
  for (const command of program.commands)
    for (const { flags, description } of command.options)
      expect(description, `${command.name()} ${flags}`).not.toBe('')
})

/** Nothing of it on the screen. */
function silently() {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => write.mockRestore())
}

it('says of "send", which is no command, that announce sends a letter', async () => {
  silently()
  const typed = program.parseAsync(['send', 'launch.md'], { from: 'user' })
  await expect(typed).rejects.toThrow(
    'there is no command "send": announce sends a letter to everyone once',
  )
})

it('installs nothing where --dry-run is given, whatever else is', () => {
  silently()
  const command = new Command('install').exitOverride()
  addInstall(command)
  expect(() => command.parse(['--systemd', '--dry-run', '--yes'], { from: 'user' })).toThrow(
    "'--dry-run' cannot be used with option '--yes'",
  )
})
