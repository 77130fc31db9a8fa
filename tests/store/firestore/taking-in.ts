/** Takes in what browsers wrote until there is no more, as a process that can be killed. */
import { openFirestore } from '../every-store.ts'

const [origin = '', project = '', appId = ''] = process.argv.slice(2)
const { browserRequests, close } = openFirestore(origin, project, { appId })
const asked = {
  shown: { words: 'Notify me', page: 'on Firebase', language: 'en' },
  isCrowd: false,
}
console.log('begun')
while (await browserRequests.takeIn(() => asked));
await close()
