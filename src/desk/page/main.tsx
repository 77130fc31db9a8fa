import './styles/index.css'
import { hydrateRoot } from 'react-dom/client'
import { speak } from '../../shared/say.ts'
import type { DeskView } from '../contract/pages.ts'
import { Desk } from './pages.tsx'

const root = document.getElementById('desk')
const data = document.getElementById('desk-data')?.textContent
if (root && data) {
  const view: DeskView = JSON.parse(data)
  if (view.shell.language === 'de') speak('de', (await import('../../shared/german.json')).default)
  hydrateRoot(root, <Desk {...view} />)
}
