// The operator's tool as the installed service runs: with its settings, and as its user. Root calls
// it by /usr/local/bin/opening-bell, which "install --systemd" writes.
import { whereNodeWillDo } from '../scripts/bootstrap/old-node.mjs'

const USER = 'opening-bell'
const SETTINGS = '/etc/opening-bell.env'

whereNodeWillDo(async () => {
  const { readFileSync } = await import('node:fs')
  const { SetupError } = await import('../scripts/bootstrap/setup-error.mjs')
  const { readSettings } = await import('../src/upkeep/install/settings-file.mjs')
  if (process.geteuid?.() !== 0)
    throw new SetupError(`Only root can become the service's user: sudo ${USER} …`)
  try {
    // Not by Node, which reads such a file in another way than systemd does for the server.
    const { settings, problems } = readSettings(readFileSync(SETTINGS), SETTINGS)
    if (problems.length > 0) throw new SetupError(problems.join('\n'))
    // The caller's own settings stay.
    for (const [name, value] of Object.entries(settings)) process.env[name] ??= value
    // An update changes the code, which is root's; it becomes that user itself to touch the list.
    if (process.argv[2] !== 'update') {
      process.initgroups?.(USER, USER)
      process.setgid?.(USER)
      process.setuid?.(USER)
    }
  } catch (cause) {
    if (cause instanceof SetupError) throw cause
    throw new SetupError(`The service is not installed here: ${String(cause)}`)
  }
  process.env.DATA_DIR ??= '/var/lib/opening-bell'
  process.env.BACKUP_TO ??= '/var/lib/opening-bell-backups'
  process.env.OPENING_BELL_COMMAND = 'sudo opening-bell'
  await import('./opening-bell.mjs')
})
