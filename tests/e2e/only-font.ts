import { cpSync, existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'

const FOLDERS = ['/usr/share/fonts', '/usr/local/share/fonts', `${homedir()}/.local/share/fonts`]

/**
 * Prepares a machine in small on which one font is all there is.
 *
 * @param folder empty, for the font and what says that it is the only one.
 * @returns what a browser's environment needs for it, or why that is not to be had here.
 */
export function onlyFont(
  file: string,
  folder: string,
): { readonly env: NodeJS.ProcessEnv } | { readonly missing: string } {
  if (process.platform !== 'linux')
    return { missing: 'only on Linux can a browser be started with other fonts' }
  const found = FOLDERS.filter(existsSync)
    .flatMap((cwd) => globSync(`**/${file}`, { cwd }).map((path) => join(cwd, path)))
    .at(0)
  if (!found) return { missing: `there is no ${file}: "apt-get install fonts-dejavu-core"` }
  mkdirSync(join(folder, 'fonts'))
  cpSync(found, join(folder, 'fonts', basename(file)))
  const config = join(folder, 'fonts.conf')
  writeFileSync(
    config,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
    <fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/cache</cachedir></fontconfig>`,
  )
  return { env: { FONTCONFIG_FILE: config } }
}
