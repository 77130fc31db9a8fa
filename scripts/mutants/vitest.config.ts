import { defineConfig, mergeConfig } from 'vitest/config'
import project from '../../vitest.config.ts'
import { rooms } from './rooms.ts'

const { include: _, ...test } = project.test ?? {}
const include = [...(rooms[process.env.MUTANTS_ROOM ?? '']?.tests ?? [])]

// One process for all of it: starting one for each file would cost more than the tests do.
export default mergeConfig(
  { ...project, test },
  defineConfig({ test: { include, isolate: false } }),
)
