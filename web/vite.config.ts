import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

// `vite build` makes the client that the Python package carries; `vite build --mode bench` makes the pages that measure
// and show the map, which no player gets.
export default defineConfig(({ mode }) => {
  const bench = mode === 'bench';
  return {
    plugins: [svelte()],
    base: './',
    root: bench ? 'bench' : '.',
    publicDir: bench ? false : 'public',
    build: {
      outDir: bench ? '../../build/web-bench' : '../src/sandtable/static',
      emptyOutDir: true,
      target: 'es2022',
      rollupOptions: bench ? { input: ['bench/index.html', 'bench/demo.html'] } : {},
    },
    server: {
      proxy: { '/api': 'http://127.0.0.1:8000', '/ws': { target: 'ws://127.0.0.1:8000', ws: true } },
    },
  };
});
