import { drawInThread } from '../../pictures/drawing-thread.ts'
import { drawnBoard, type PictureContent } from './board-drawing.ts'

drawInThread((content) => drawnBoard(content as PictureContent))
