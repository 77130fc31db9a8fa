#!/usr/bin/env node
// `npm create opening-bell@latest`: makes the folder of a coming-soon page, with the founder's words
// and a lock on the version that made it. Needs nothing but Node 20 and npm.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { answers, HELP } from './answers.mjs'
import { filesOf } from './files.mjs'
import { Refused } from './refused.mjs'
import { beginRepository, installPackages, writeFolder } from './write-folder.mjs'

try {
  const version = JSON.parse(
    readFileSync(new URL('./package.json', import.meta.url), 'utf8'),
  ).version
  const given = await answers(process.argv.slice(2))
  if (given === undefined) {
    console.log(HELP)
  } else {
    const { folder, words, git, install } = given
    const logo = readFileSync(new URL('./logo.svg', import.meta.url), 'utf8')
    const files = filesOf(words, version, logo)
    writeFolder(folder, files)
    const place = relative('', folder)
    console.log(`${words.name}: ${Object.keys(files).join(', ')} in ${place || 'this folder'}`)
    if (git) beginRepository(folder)
    if (install) installPackages(folder)
    const steps = [place && `cd ${place}`, !install && 'npm install', 'npm start']
    console.log(`\nNow: ${steps.filter(Boolean).join(' && ')}`)
  }
} catch (error) {
  if (!(error instanceof Refused)) throw error
  console.error(error.message)
  process.exitCode = 1
}
