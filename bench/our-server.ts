import { serve } from '../scripts/serve.ts'
import { dataFolder } from './work-folder.ts'

/** Signs the cookies of all servers that are measured. */
export const LINK_KEY = 'a key for all servers that are measured'

/** Starts our server, without its limit of sign-ups. @param name of its folder. */
export const startOurServer = (name: string) =>
  serve({ DATA_DIR: dataFolder(name), RATE_LIMIT: '0', LINK_KEY })
