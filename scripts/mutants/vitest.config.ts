import { defineConfig, mergeConfig } from 'vitest/config'
import project from '../../vitest.config.ts'
import { type Room, rooms } from './rooms.ts'

const { tests } = rooms[process.env.MUTANTS_ROOM as Room]
const { include: _, ...test } = project.test ?? {}

export default mergeConfig(
  { ...project, test },
  defineConfig({ test: { include: [...tests], isolate: false } }),
)
