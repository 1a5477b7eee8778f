export { type PieceDetector, type RagChunk, type RagIngestResult, ragIngest } from './ingest.ts';
export { ragResolve } from './resolve.ts';
