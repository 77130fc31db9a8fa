import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const DEBIAN_PACKAGE = 'google-cloud-cli-firestore-emulator'
const IN_GCLOUD = 'platform/cloud-firestore-emulator/cloud-firestore-emulator.jar'

/**
 * Looks for Google's Firestore emulator on this machine.
 *
 * @returns its jar, or what is missing and how to get it.
 */
export function findFirestoreEmulator(): { jar: string } | { missing: string } {
  if (spawnSync('java', ['-version']).status !== 0)
    return { missing: 'needs java 17 or newer on the PATH, for the Firestore emulator' }

  const given = process.env.FIRESTORE_EMULATOR_JAR
  if (given)
    return existsSync(given)
      ? { jar: given }
      : { missing: `FIRESTORE_EMULATOR_JAR is "${given}", where there is no file` }

  // One after the other: gcloud takes a second of processor to answer.
  for (const find of [inDebianPackage, inGcloud]) {
    const jar = find()
    if (jar !== undefined && existsSync(jar)) return { jar }
  }
  return {
    missing:
      `needs the Firestore emulator: install Google's Debian package ${DEBIAN_PACKAGE}, ` +
      'or run "gcloud components install cloud-firestore-emulator", ' +
      'or set FIRESTORE_EMULATOR_JAR to its jar',
  }
}

function inDebianPackage(): string | undefined {
  return outputOf('dpkg', ['-L', DEBIAN_PACKAGE])
    .split('\n')
    .find((path) => path.endsWith('.jar'))
}

function inGcloud(): string | undefined {
  const sdk = outputOf('gcloud', ['info', '--format=value(installation.sdk_root)']).trim()
  return sdk ? join(sdk, IN_GCLOUD) : undefined
}

/** Nothing when the program is not there or fails. */
function outputOf(program: string, args: string[]): string {
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8' })
  return status === 0 ? stdout : ''
}
