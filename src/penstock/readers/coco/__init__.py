"""Images with boxes, labels and masks, as COCO annotates them."""
