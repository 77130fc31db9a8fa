import './styles/index.css'
import { hydrateRoot } from 'react-dom/client'
import type { DeskView } from '../contract/pages.ts'
import { Desk } from './pages.tsx'

const root = document.getElementById('desk')
const data = document.getElementById('desk-data')?.textContent
if (root && data) hydrateRoot(root, <Desk {...(JSON.parse(data) as DeskView)} />)
