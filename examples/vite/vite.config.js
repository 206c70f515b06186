import { defineConfig } from 'vite';
import { understudy } from 'wp-understudy/vite';

export default defineConfig({
  plugins: [understudy({ dataset: 'dataset.json', now: '2026-06-15T12:00:00Z' })],
});
