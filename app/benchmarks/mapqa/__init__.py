"""MapQA's nine types of questions, made from any map; and the files that its authors published."""
