import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A git that kills who calls it, once, at one of its commands; or a start that does. */
export function killing(folder: string, at: string): Record<string, string> {
  return at.endsWith(' start') ? { KILLED_AT_START: 'yes' } : calling(folder, at, 'kill -9 $PPID')
}

/** A git that runs a line of the shell, once, before or after one of its commands. */
export function calling(folder: string, at: string, line: string): Record<string, string> {
  const [when = '', ...words] = at.split(' ')
  const real = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim()
  const here = join(folder, at.replaceAll(/[ /]/g, '-'))
  mkdirSync(here)
  const once = `[ -e '${here}/done' ] || { touch '${here}/done'; ${line}; }`
  const call = `case "$*" in *" ${words.join(' ')}"*) ${once};; esac`
  const [before, after] = when === 'before' ? [call, ''] : ['', call]
  const script = `#!/bin/sh\n${before}\n'${real}' "$@"; status=$?\n${after}\nexit $status\n`
  writeFileSync(join(here, 'git'), script, { mode: 0o755 })
  return { PATH: `${here}:${process.env.PATH}` }
}
